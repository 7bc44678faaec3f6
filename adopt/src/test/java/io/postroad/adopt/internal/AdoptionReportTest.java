package io.postroad.adopt.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.adopt.Adoption;
import io.postroad.adopt.Recogniser;
import io.postroad.adopt.Recognition;
import io.postroad.adopt.RowCounter;
import io.postroad.adopt.Rows;
import io.postroad.adopt.Shapes;
import io.postroad.adopt.SpecTables;
import io.postroad.adopt.TableShape;
import io.postroad.adopt.WordRows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The reports as a person reads them; the texts are in files beside this class. */
class AdoptionReportTest {
  private static final List<String> ADDED =
      List.of(
          "postroad_due_at",
          "postroad_lease_owner",
          "postroad_lease_token",
          "postroad_last_error",
          "postroad_aside_at");

  private static final List<String> MIGRATION =
      List.of(
          "ALTER TABLE shop.mail_queue\n  ADD COLUMN postroad_due_at timestamptz;",
          "CREATE INDEX CONCURRENTLY mail_queue_due ON shop.mail_queue (state);");

  @Test
  void aTableThatIsGuessed() throws IOException {
    TableShape shape =
        Shapes.table(
            "shop.mail_queue",
            """
            mail_no number not null default unique
            kind text not null
            customer_id text
            body text not null
            queue text not null
            state text not null default 'NEW'
            tries number not null default
            created timestamp not null default
            sent_at timestamp
            priority number
            postroad_headers text""");
    RowCounter rows =
        Rows.none()
            .and("state", WordRows.of("SENT", 3400))
            .and("state", WordRows.of("SENDING", 1))
            .and("state", WordRows.of("NEW", 12));
    Recognition found = Recogniser.ofTables().recognise(shape, rows);

    assertThat(Adoption.of(shape, found, ADDED, MIGRATION).report()).isEqualTo(text("guessed.txt"));
  }

  @Test
  void aTableThatComesWithPostroadUnderAnotherName() throws IOException {
    TableShape spec = SpecTables.advertMarket();
    TableShape shape = TableShape.ofTable("deals.outbox", spec.columns(), List.of("id"));
    Rows rows = Rows.withStatus("PENDING", "PROCESSING", "DELIVERED", "FAILED");
    Recognition found = Recogniser.ofTables().recognise(shape, rows);

    assertThat(Adoption.of(shape, found, List.of(), List.of()).report())
        .isEqualTo(text("shipped.txt"));
  }

  @Test
  void aCollectionWithLeasesOfItsOwn() throws IOException {
    TableShape shape = SpecTables.brokerless();
    Rows rows = Rows.withStatus("new", "failed", "processing", "done", "dead");
    Recognition found = Recogniser.ofCollections().recognise(shape, rows);

    assertThat(Adoption.of(shape, found, List.of(), List.of()).report())
        .isEqualTo(text("collection.txt"));
  }

  @Test
  void aTableThatSaysNothingAboutDelivery() throws IOException {
    TableShape shape = SpecTables.debezium();
    Recognition found = Recogniser.ofTables().recognise(shape, Rows.of(7));

    assertThat(Adoption.of(shape, found, List.of(), List.of()).report())
        .isEqualTo(text("no-status.txt"));
  }

  @Test
  void aTableThatIsRefused() throws IOException {
    TableShape shape =
        Shapes.table(
            "mails",
            """
            id uuid not null unique
            kind text not null
            payload text
            headers json
            published boolean not null""");
    Adoption adoption =
        Adoption.of(
            shape, Recogniser.ofTables().recognise(shape, Rows.of(7)), List.of(), List.of());

    assertThat(adoption.report()).isEqualTo(text("refused.txt"));
    assertThat(adoption.isPossible()).isFalse();
    assertThat(adoption.layout()).isEmpty();
  }

  @Test
  void refusalsOfTheStoreAreProblems() {
    TableShape shape = SpecTables.debezium();
    String problem = "outboxevent: is a view; name the table under it";
    Adoption adoption =
        Adoption.of(
                shape, Recogniser.ofTables().recognise(shape, Rows.none()), List.of(), List.of())
            .withProblems(List.of(problem));

    assertThat(adoption.isPossible()).isFalse();
    assertThat(adoption.problems()).containsExactly(problem);
    assertThat(adoption.report())
        .startsWith(
            """
            Table outboxevent: cannot be used as it is; nothing was changed

            Problems
              - outboxevent: is a view; name the table under it

            Layout
            """);
  }

  @Test
  void deadRowsThatAreTriedAgainAndAnExpiryOfTheTableAreSaid() {
    TableShape shape = SpecTables.recurringRules().withExpiry("idx_outbox_sent_ttl");
    Recognition found =
        Recogniser.ofCollections().recognise(shape, Rows.withStatus("SENT", "FAILED"));

    assertThat(Adoption.of(shape, found, List.of(), List.of()).report())
        .contains(
            """
            Rows
              PENDING 0 rows: will be delivered when nextRetryAt has come
              PROCESSING 0 rows: taken over 5 minutes after it was first seen unless its owner finishes it
              SENT 1 row: not sent again; removed by idx_outbox_sent_ttl
              FAILED 1 row: tried again if tried less than 5 times, else listed as dead letters
            """);
  }

  private static String text(String file) throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(AdoptionReportTest.class.getResourceAsStream(file), file)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
