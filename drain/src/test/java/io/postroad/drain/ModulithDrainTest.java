package io.postroad.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.admin.BulkProgress;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.postgres.PostgresCompetingStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Moves over from the event publications of Spring Modulith. */
@Timeout(120)
class ModulithDrainTest {
  private static final String STATUSES =
      "SELECT id, status, completion_date IS NULL FROM event_publication ORDER BY publication_date";

  private DrainDatabase database;
  private OldOutboxes old;
  private PostgresCompetingStore store;

  @BeforeEach
  void create() {
    database = DrainDatabase.create();
    old = new OldOutboxes(database);
    store = database.open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void ofVersion2WhatIsUndeliveredMovesAndTheRestIsLeftAlone() throws Exception {
    database.execute(OldOutboxes.MODULITH_2);
    String published = old.publication(1, "PUBLISHED");
    String processing = old.publication(2, "PROCESSING");
    String resubmitted = old.publication(3, "RESUBMITTED");
    String migrated = old.publication(4, "");
    String completed = old.publication(5, "COMPLETED");
    String overwritten = old.publication(6, "PROCESSING");
    String failed = old.publication(7, "FAILED");
    String odd = old.publication(8, "ODD");
    database.update(
        "UPDATE event_publication SET completion_date = now() WHERE id IN (?::uuid, ?::uuid)",
        completed,
        overwritten);
    List<String> before = database.rows(STATUSES);

    DrainPreview preview = drain().preview();

    assertThat(database.rows(STATUSES)).as("a preview changes nothing").isEqualTo(before);
    assertThat(queued()).isEmpty();
    assertThat(preview.rows())
        .contains(
            new DrainPreview.Count(Optional.empty(), DrainPreview.Fate.TAKEN, 1),
            new DrainPreview.Count(Optional.of("PROCESSING"), DrainPreview.Fate.TAKEN, 1),
            new DrainPreview.Count(Optional.of("PROCESSING"), DrainPreview.Fate.DELIVERED, 1),
            new DrainPreview.Count(Optional.of("FAILED"), DrainPreview.Fate.FAILED, 1),
            new DrainPreview.Count(Optional.of("ODD"), DrainPreview.Fate.UNKNOWN, 1));
    assertThat(preview.count(DrainPreview.Fate.TAKEN)).isEqualTo(4);
    assertThat(preview.count(DrainPreview.Fate.DELIVERED)).isEqualTo(2);

    DrainReport report = drain().run(BulkProgress.SILENT);

    assertThat(report).isEqualTo(preview.expected());
    assertThat(report).isEqualTo(new DrainReport(4, 0, 0, 0, List.of(), 1, 0, 1));
    assertThat(report.isComplete()).as("one has an unknown status").isFalse();
    assertThat(queued()).containsExactlyInAnyOrder(published, processing, resubmitted, migrated);
    assertThat(database.rows(STATUSES))
        .containsExactly(
            published + "|COMPLETED|f",
            processing + "|COMPLETED|f",
            resubmitted + "|COMPLETED|f",
            migrated + "|COMPLETED|f",
            completed + "|COMPLETED|f",
            overwritten + "|PROCESSING|f",
            failed + "|FAILED|t",
            odd + "|ODD|t");
    assertThat(drain().run(BulkProgress.SILENT).moved()).as("run twice").isZero();
    assertThat(queued()).hasSize(4);
  }

  @Test
  void failedOnesComeAlongWhenAskedFor() throws Exception {
    database.execute(OldOutboxes.MODULITH_2);
    String failed = old.publication(1, "FAILED");

    DrainReport report =
        drain()
            .withOptions(DrainOptions.defaults().withFailedRows(DrainOptions.FailedRows.TAKE))
            .run(BulkProgress.SILENT);

    assertThat(report).isEqualTo(new DrainReport(1, 0, 0, 0, List.of(), 0, 0, 0));
    assertThat(queued()).containsExactly(failed);
  }

  @Test
  void ofVersion1WhatHasNoCompletionDateMoves() throws Exception {
    database.execute(OldOutboxes.MODULITH_1);
    String open = old.publication(1, "mailer", "shop.OrderPlaced");
    String done = old.publication(2, "mailer", "shop.OrderPlaced");
    database.update(
        "UPDATE event_publication SET completion_date = '2020-02-03Z' WHERE id = ?::uuid", done);

    DrainReport report = drain().run(BulkProgress.SILENT);

    assertThat(report.moved()).isEqualTo(1);
    assertThat(report.isComplete()).isTrue();
    Message message = store.find(UUID.fromString(open)).orElseThrow().message();
    assertThat(message)
        .isEqualTo(
            Message.event("OrderPlaced")
                .id(UUID.fromString(open))
                .to("orders")
                .json("{\"n\":1}")
                .build());
    assertThat(
            database.rows(
                "SELECT id, completion_date > now() - INTERVAL '1 hour' FROM event_publication"))
        .containsExactlyInAnyOrder(open + "|t", done + "|f");
  }

  @Test
  void movedOnesCanBeDeletedAndTheArchiveIsNotTouched() throws Exception {
    database.execute(OldOutboxes.MODULITH_2);
    old.publication(1, "PUBLISHED");
    database.execute("INSERT INTO event_publication_archive SELECT * FROM event_publication");
    String failed = old.publication(2, "FAILED");

    drain()
        .withOptions(DrainOptions.defaults().withMovedRows(DrainOptions.MovedRows.DELETE))
        .run(BulkProgress.SILENT);

    assertThat(queued()).hasSize(1);
    assertThat(database.rows("SELECT id FROM event_publication")).containsExactly(failed);
    assertThat(database.value("SELECT count(*) FROM event_publication_archive")).isEqualTo("1");
  }

  @Test
  void theRowOfAListenerInsideTheApplicationStays() throws Exception {
    database.execute(OldOutboxes.MODULITH_1);
    String mail = old.publication(1, "mailer", "shop.OrderPlaced");
    String inside = old.publication(1, "stock", "shop.OrderPlaced");

    DrainReport report =
        PostgresDrain.into(
                store,
                DrainSource.springModulith(),
                DrainMapping.rules().listener("mailer", "mail"))
            .run(BulkProgress.SILENT);

    assertThat(report).isEqualTo(new DrainReport(1, 0, 1, 0, List.of(), 0, 0, 0));
    assertThat(queued()).containsExactly(mail);
    assertThat(database.rows("SELECT id FROM event_publication WHERE completion_date IS NULL"))
        .containsExactly(inside);
  }

  @Test
  void whatTheOldApplicationMayHaveInItsHandsWaitsForALaterRun() throws Exception {
    database.execute(OldOutboxes.MODULITH_2);
    String fresh = old.publication(1, "PUBLISHED");
    String resubmitted = old.publication(2, "RESUBMITTED");
    database.update(
        "UPDATE event_publication SET publication_date = now() WHERE id = ?::uuid", fresh);
    database.update(
        "UPDATE event_publication SET last_resubmission_date = now() WHERE id = ?::uuid",
        resubmitted);

    DrainReport report = drain().run(BulkProgress.SILENT);

    assertThat(report).isEqualTo(new DrainReport(0, 0, 0, 0, List.of(), 0, 2, 0));
    assertThat(report.isComplete()).isFalse();
    DrainReport later =
        drain()
            .withOptions(DrainOptions.defaults().withMinAge(Duration.ZERO))
            .run(BulkProgress.SILENT);
    assertThat(later.moved()).isEqualTo(2);
  }

  @Test
  void failuresAreWhatTheAttemptsSay() throws Exception {
    database.execute(OldOutboxes.MODULITH_2);
    old.publication(1, "PUBLISHED");
    old.publication(2, "FAILED");
    database.execute("UPDATE event_publication SET completion_attempts = 3");

    PostgresDrain.into(
            store,
            DrainSource.springModulith(),
            DrainMapping.rules()
                .otherwise("orders")
                .refine(
                    (row, message) -> message.header("failures", "" + row.delivery().failures())))
        .withOptions(DrainOptions.defaults().withFailedRows(DrainOptions.FailedRows.TAKE))
        .run(BulkProgress.SILENT);

    assertThat(database.rows("SELECT payload, trim(E'\\n' FROM headers) FROM outbox_queue"))
        .containsExactlyInAnyOrder("{\"n\":1}|failures: 2", "{\"n\":2}|failures: 3");
  }

  @Test
  void localTimesNeedAZoneAndThenTheSessionsTimeZoneChangesNothing() throws Exception {
    database.execute(OldOutboxes.MODULITH_2);
    String taken = old.publication(1, "PUBLISHED");
    String young = old.publication(2, "PUBLISHED");
    // Written in New York: read as Tokyo's or UTC's time, the young one would be hours old.
    database.update(
        "UPDATE event_publication SET publication_date = now() WHERE id = ?::uuid", young);
    for (String column : List.of("publication_date", "completion_date", "last_resubmission_date")) {
      database.execute(
          "ALTER TABLE event_publication ALTER %1$s TYPE timestamp USING %1$s AT TIME ZONE 'America/New_York'"
              .formatted(column));
    }
    PGSimpleDataSource tokyo = new PGSimpleDataSource();
    tokyo.setUrl(database.url());
    tokyo.setOptions("-c TimeZone=Asia/Tokyo");
    try (PostgresCompetingStore there = PostgresCompetingStore.open(tokyo, database.options())) {
      DrainSource source = DrainSource.springModulith();
      DrainMapping mapping = DrainMapping.rules().otherwise("orders");

      assertThatThrownBy(() -> PostgresDrain.into(there, source, mapping).run(BulkProgress.SILENT))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("publication_date")
          .hasMessageContaining("DrainSource.withZone");
      assertThat(queued()).isEmpty();

      DrainSource inNewYork = source.withZone(ZoneId.of("America/New_York"));
      DrainReport report = PostgresDrain.into(there, inNewYork, mapping).run(BulkProgress.SILENT);

      assertThat(report).isEqualTo(new DrainReport(1, 0, 0, 0, List.of(), 0, 1, 0));
      assertThat(queued()).containsExactly(taken);
      assertThat(
              database.value(
                  "SELECT abs(extract(epoch FROM now() - completion_date AT TIME ZONE"
                      + " 'America/New_York')) < 600 FROM event_publication WHERE id = ?::uuid",
                  taken))
          .isEqualTo("t");
      DrainSource ahead = source.withZone(ZoneOffset.ofHours(9));
      assertThat(PostgresDrain.into(there, ahead, mapping).preview().count(DrainPreview.Fate.YOUNG))
          .as("an offset has the sign that Java gives it")
          .isZero();
    }
  }

  @Test
  void aTableThatIsNotThereOrNotTheirsIsRefused() throws Exception {
    assertThatThrownBy(() -> drain().preview())
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("event_publication")
        .hasMessageContaining("withSchema");

    database.execute(OldOutboxes.MODULITH_2);
    database.execute("ALTER TABLE event_publication DROP listener_id");
    assertThatThrownBy(() -> drain().run(BulkProgress.SILENT))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("listener_id");

    database.execute("ALTER TABLE event_publication ADD listener_id text");
    database.execute(
        "ALTER TABLE event_publication ALTER serialized_event TYPE bytea USING"
            + " serialized_event::bytea");
    assertThatThrownBy(() -> drain().run(BulkProgress.SILENT))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("serialized_event")
        .hasMessageContaining("bytea");
  }

  @Test
  void aTableInAnotherSchemaIsFoundByItsName() throws Exception {
    database.execute(OldOutboxes.MODULITH_1);
    old.publication(1, "mailer", "shop.OrderPlaced");
    database.execute(
        "CREATE SCHEMA \"Old\"; ALTER TABLE event_publication SET SCHEMA \"Old\";"
            + " ALTER TABLE \"Old\".event_publication RENAME TO \"Publications\"");
    DrainSource source = DrainSource.springModulith().withSchema("Old").withTable("Publications");

    PostgresDrain drain =
        PostgresDrain.into(store, source, DrainMapping.rules().otherwise("orders"));

    assertThat(drain.run(BulkProgress.SILENT).moved()).isEqualTo(1);
    database.execute("DROP SCHEMA \"Old\" CASCADE");
  }

  private PostgresDrain drain() {
    return PostgresDrain.into(
        store,
        DrainSource.springModulith(),
        DrainMapping.rules().type("shop.OrderPlaced", "orders"));
  }

  private List<String> queued() throws SQLException {
    return database.rows("SELECT outbox_id FROM outbox_queue");
  }
}
