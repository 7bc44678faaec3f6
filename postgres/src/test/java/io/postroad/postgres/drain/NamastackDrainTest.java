package io.postroad.postgres.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.admin.BulkProgress;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxOptions;
import io.postroad.postgres.OldOutboxes;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Moving over from the records of Namastack. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class NamastackDrainTest {
  private static final DrainMapping TO_ORDERS = DrainMapping.rules().otherwise("orders");
  private static final Instant SOON = Instant.parse("2099-01-02T03:04:05.123456Z");

  private TestDatabase database;
  private OldOutboxes old;
  private PostgresCompetingStore store;
  private PostgresOrderedStore ordered;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("namastack");
    old = new OldOutboxes(database);
    store = database.open();
    ordered = database.openOrdered(1);
  }

  @AfterEach
  void reset() throws SQLException {
    database.reset();
    database.execute("DROP TABLE IF EXISTS outbox_record");
  }

  @AfterAll
  void close() {
    store.close();
    ordered.close();
    database.close();
  }

  @Test
  void newOnesMoveWithKeyAndDueTimeAndTheRestIsLeftAlone() throws Exception {
    database.execute(OldOutboxes.NAMASTACK_1);
    String fresh = old.record(1, "customer-1", "NEW");
    String waiting = old.record(UUID.randomUUID().toString(), 2, "customer-2", "NEW", SOON);
    String completed = old.record(3, "customer-3", "COMPLETED");
    String failed = old.record(4, "customer-4", "FAILED");
    String odd = old.record(5, "customer-5", "HELD");
    database.update("UPDATE outbox_record SET context = '{\"trace\":\"t\"}' WHERE id = ?", fresh);
    DrainMapping mapping =
        DrainMapping.rules()
            .type("Placed", "orders")
            .refine((row, message) -> row.context().ifPresent(c -> message.header("context", c)));

    DrainReport report =
        PostgresDrain.into(store, DrainSource.namastack(), mapping).run(BulkProgress.SILENT);

    assertThat(report).isEqualTo(new DrainReport(2, 0, 0, 0, List.of(), 1, 0, 1));
    Message.Builder first = Message.event("Placed").id(UUID.fromString(fresh)).to("orders");
    assertThat(store.find(UUID.fromString(fresh)).orElseThrow().message())
        .isEqualTo(
            first
                .key("customer-1")
                .header("context", "{\"trace\":\"t\"}")
                .json("{\"n\":1}")
                .build());
    assertThat(store.find(UUID.fromString(waiting)).orElseThrow().message().notBefore())
        .contains(SOON);
    assertThat(
            database.rows(
                "SELECT id, status, completed_at IS NULL FROM outbox_record ORDER BY created_at"))
        .containsExactly(
            fresh + "|COMPLETED|f",
            waiting + "|COMPLETED|f",
            completed + "|COMPLETED|f",
            failed + "|FAILED|t",
            odd + "|HELD|t");
    assertThat(drain(store).run(BulkProgress.SILENT).moved()).as("run twice").isZero();
  }

  @Test
  void failedOnesComeAlongInTheirPlaceWhenAskedFor() throws Exception {
    database.execute(OldOutboxes.NAMASTACK_1);
    old.record(3, "k", "NEW");
    old.record(1, "k", "FAILED");
    old.record(2, "k", "NEW");

    drain(ordered)
        .withOptions(DrainOptions.defaults().withFailedRows(DrainOptions.FailedRows.TAKE))
        .run(BulkProgress.SILENT);

    assertThat(lane()).containsExactly("k {\"n\":1}", "k {\"n\":2}", "k {\"n\":3}");
  }

  @Test
  void theOrderOfCreationIsKeptAcrossBatchesAndPagesAlsoByWhatWasToBeTriedLater() throws Exception {
    database.execute(OldOutboxes.NAMASTACK_1);
    List<Integer> shuffled = new ArrayList<>(IntStream.range(0, 250).boxed().toList());
    Collections.shuffle(shuffled, new Random(7));
    for (int n : shuffled) {
      Instant due = n % 10 == 0 ? SOON : OldOutboxes.THEN;
      old.record(UUID.randomUUID().toString(), n, "k" + n % 3, "NEW", due);
    }
    List<Long> progress = new ArrayList<>();

    DrainReport report =
        drain(ordered).withOptions(DrainOptions.defaults().withBatchSize(2)).run(progress::add);

    assertThat(report.moved()).isEqualTo(250);
    assertThat(progress).hasSize(125).endsWith(248L, 250L);
    assertThat(lane())
        .containsExactlyElementsOf(
            IntStream.range(0, 250).mapToObj(n -> "k%d {\"n\":%d}".formatted(n % 3, n)).toList());
  }

  @Test
  void rowsOfOneMomentAreAllMovedOnce() throws Exception {
    database.execute(OldOutboxes.NAMASTACK_1);
    old.record(1, "k", "NEW");
    database.execute(
        "INSERT INTO outbox_record SELECT (jsonb_populate_record(r,"
            + " jsonb_build_object('id', gen_random_uuid()))).*"
            + " FROM outbox_record AS r, generate_series(1, 249)");

    DrainReport report =
        drain(store).withOptions(DrainOptions.defaults().withBatchSize(1)).run(done -> {});

    assertThat(report.moved()).isEqualTo(250);
    assertThat(database.value("SELECT count(*) FROM outbox_record WHERE status = 'NEW'"))
        .isEqualTo("0");
  }

  @Test
  void aSessionTimeZoneChangesNoDueTimeAndNoOrder() throws Exception {
    database.execute(OldOutboxes.NAMASTACK_1);
    old.record(2, "k", "NEW");
    old.record(1, "k", "NEW");
    String waiting = old.record(UUID.randomUUID().toString(), 3, "k", "NEW", SOON);
    String young = old.record(4, "k", "NEW");
    database.update("UPDATE outbox_record SET created_at = now() WHERE id = ?", young);
    PGSimpleDataSource tokyo = new PGSimpleDataSource();
    tokyo.setUrl(database.url());
    tokyo.setOptions("-c TimeZone=Asia/Tokyo");
    try (PostgresCompetingStore there = PostgresCompetingStore.open(tokyo, database.options())) {
      DrainReport report =
          drain(there).withOptions(DrainOptions.defaults().withBatchSize(1)).run(done -> {});

      assertThat(report).isEqualTo(new DrainReport(3, 0, 0, 0, List.of(), 0, 1, 0));
      assertThat(store.find(UUID.fromString(waiting)).orElseThrow().message().notBefore())
          .contains(SOON);
      assertThat(database.rows("SELECT payload FROM outbox_queue ORDER BY created_at"))
          .containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}");
    }
  }

  @Test
  void aRowThatAnOldNodeWritesOnceMoreIsNotSentTwice() throws Exception {
    for (OutboxStore<Connection> target : List.of(store, ordered)) {
      for (DrainOptions.MovedRows rows : DrainOptions.MovedRows.values()) {
        database.execute(OldOutboxes.NAMASTACK_1);
        String id = UUID.randomUUID().toString();
        old.record(id, 1, "k", "NEW", OldOutboxes.THEN);
        PostgresDrain drain =
            drain(target).withOptions(DrainOptions.defaults().withMovedRows(rows));
        assertThat(drain.run(BulkProgress.SILENT).moved()).isEqualTo(1);

        // Its handler failed meanwhile: that library then inserts the row if it is gone.
        database.update("DELETE FROM outbox_record");
        old.record(id, 1, "k", "NEW", OldOutboxes.THEN);
        assertThat(drain.look().expected().alreadyThere()).isEqualTo(1);
        DrainReport again = drain.run(BulkProgress.SILENT);

        assertThat(again).isEqualTo(new DrainReport(0, 1, 0, 0, List.of(), 0, 0, 0));
        assertThat(database.rows("SELECT id FROM outbox_record WHERE status = 'NEW'")).isEmpty();
        assertThat(database.value("SELECT count(*) FROM outbox WHERE outbox_id = ?::uuid", id))
            .isEqualTo("1");
        reset();
      }
    }
  }

  @Test
  void whatSomebodyHasCopiedByHandIsMarkedAndNotAppended() throws Exception {
    for (OutboxStore<Connection> target : List.of(store, ordered)) {
      database.execute(OldOutboxes.NAMASTACK_1);
      String logged = old.record(1, "k", "NEW");
      String scheduled = old.record(2, "k", "NEW");
      String fresh = old.record(3, "k", "NEW");
      Message.Builder copy = Message.event("Placed").to("orders").json("{}");
      target
          .transactions()
          .run(
              c -> {
                Message now = copy.id(UUID.fromString(logged)).build();
                Message later = copy.id(UUID.fromString(scheduled)).notBefore(SOON).build();
                target.append(c, List.of(now, later), Duration.ofDays(1));
              });

      DrainReport report = drain(target).run(BulkProgress.SILENT);

      assertThat(report).isEqualTo(new DrainReport(1, 2, 0, 0, List.of(), 0, 0, 0));
      assertThat(database.rows("SELECT outbox_id FROM outbox"))
          .containsExactlyInAnyOrder(logged, scheduled, fresh);
      assertThat(database.value("SELECT count(*) FROM outbox_record WHERE status = 'NEW'"))
          .isEqualTo("0");
      reset();
    }
  }

  @Test
  void aDeduplicationKeyOfTheMappingIsHeeded() throws Exception {
    database.execute(OldOutboxes.NAMASTACK_1);
    old.record(1, "k", "NEW");
    old.record(2, "k", "NEW");
    DrainMapping once =
        DrainMapping.rules()
            .otherwise("orders")
            .refine((row, message) -> message.deduplicationKey("same"));

    DrainReport report =
        PostgresDrain.into(store, DrainSource.namastack(), once).run(BulkProgress.SILENT);

    assertThat(report).isEqualTo(new DrainReport(1, 1, 0, 0, List.of(), 0, 0, 0));
    assertThat(database.rows("SELECT payload FROM outbox_queue")).containsExactly("{\"n\":1}");
  }

  @Test
  void rowsThatCannotBeMappedStayWithTheReasonAndTheRestGoesOn() throws Exception {
    for (OutboxStore<Connection> target : List.of(store, ordered)) {
      database.execute(OldOutboxes.NAMASTACK_1);
      String thrown = old.record(1, "thrown", "NEW");
      String first = old.record(2, "good", "NEW");
      String noDestination = old.record(3, "no destination", "NEW");
      String large = old.record(4, "large", "NEW");
      String never = old.record(5, "never", "NEW");
      String last = old.record(6, "good", "NEW");
      DrainMapping mapping =
          row ->
              switch (row.key().orElseThrow()) {
                case "thrown" -> throw new IllegalStateException("no such class");
                case "no destination" -> Optional.of(Message.event("T").json("{}"));
                case "large" -> Optional.of(message(row).json("x".repeat(200)));
                case "never" -> Optional.of(message(row).notBefore(Instant.MAX));
                default -> Optional.of(message(row));
              };
      PostgresDrain drain =
          PostgresDrain.into(target, DrainSource.namastack(), mapping)
              .withOptions(
                  DrainOptions.defaults()
                      .withOutbox(OutboxOptions.defaults().withMaxPayloadBytes(100)));

      DrainReport report = drain.run(BulkProgress.SILENT);

      assertThat(report.moved()).isEqualTo(2);
      assertThat(report.unmappable()).isEqualTo(4);
      assertThat(report.isComplete()).isFalse();
      Map<String, String> reasons =
          report.reasons().stream()
              .collect(Collectors.toMap(DrainReport.LeftRow::id, DrainReport.LeftRow::reason));
      assertThat(reasons).containsOnlyKeys(thrown, noDestination, large, never);
      assertThat(reasons.get(thrown)).isEqualTo("IllegalStateException: no such class");
      assertThat(reasons.get(noDestination)).contains("message destination must not be null");
      assertThat(reasons.get(large)).contains("the limit is 100");
      assertThat(reasons.get(never)).contains("notBefore");
      assertThat(database.rows("SELECT outbox_id FROM outbox ORDER BY created_at"))
          .containsExactlyInAnyOrder(first, last);
      assertThat(
              database.rows(
                  "SELECT id FROM outbox_record WHERE status = 'NEW' ORDER BY created_at"))
          .containsExactly(thrown, noDestination, large, never);
      reset();
    }
  }

  @Test
  void idsThatAreNoUuidsAndTablesOfVersion04AreMovedToo() throws Exception {
    database.execute(OldOutboxes.NAMASTACK_0_4);
    old.record("order 1", 1, "k", "NEW", OldOutboxes.THEN);
    old.record("1-2-3-4-5", 2, "k", "NEW", OldOutboxes.THEN);

    assertThat(drain(store).run(BulkProgress.SILENT).moved()).isEqualTo(2);

    database.update("UPDATE outbox_record SET status = 'NEW', completed_at = NULL");
    assertThat(drain(store).run(BulkProgress.SILENT))
        .as("recognised by an id that is derived from theirs")
        .isEqualTo(new DrainReport(0, 2, 0, 0, List.of(), 0, 0, 0));
  }

  private static Message.Builder message(DrainRow row) {
    return Message.event(row.simpleType()).to("orders").json(row.payload());
  }

  private static PostgresDrain drain(OutboxStore<Connection> store) {
    return PostgresDrain.into(store, DrainSource.namastack(), TO_ORDERS);
  }

  /** What the owner of the only lane reads: keys and payloads. */
  private List<String> lane() {
    LaneLease lease = ordered.lanes().take(0, "reader", Duration.ofMinutes(1)).orElseThrow();
    return ordered.log().read(lease, lease.position(), 1_000).entries().stream()
        .map(LaneEntry::message)
        .map(m -> m.key().orElse("") + " " + m.payload().text().orElse(""))
        .toList();
  }
}
