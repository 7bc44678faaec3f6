package io.postroad.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The reports as a person reads them. */
class AdoptionReportTest {

  @Test
  void aGuess() {
    TableShape shape =
        Shapes.table(
            "shop.mail_queue",
            """
            mail_id uuid not null unique
            kind text not null
            customer_id text
            body text not null
            queue text not null
            state text not null default 'NEW'
            tries number not null default
            created timestamptz not null default
            sent_at timestamptz
            priority number""");
    RowCounter rows =
        Rows.none()
            .and("state", WordRows.of("SENT", 3400))
            .and("state", WordRows.of("NEW", 12))
            .and("state", WordRows.of("SENDING", 1));
    System.out.println(report(shape, rows));
  }

  @Test
  void b() {
    System.out.println(
        report(SpecTables.recurringRules().withExpiry("idx"), Rows.withStatus("PENDING")));
    System.out.println(report(SpecTables.brokerless(), Rows.withStatus("done")));
    System.out.println(report(SpecTables.debezium(), Rows.of(7)));
    System.out.println(
        report(
            Shapes.table(
                "mails",
                """
            mail_id uuid not null unique
            kind text not null
            payload text
            published boolean"""),
            Rows.of(7)));
  }

  private static String report(TableShape shape, RowCounter rows) {
    Recogniser recogniser =
        shape.form() == TableShape.Form.TABLE ? Recogniser.ofTables() : Recogniser.ofCollections();
    Recognition found = recogniser.recognise(shape, rows);
    List<String> migration =
        found.found().isPresent()
            ? List.of("ALTER TABLE x\n  ADD COLUMN y text;", "CREATE INDEX z ON x (y);")
            : List.of();
    assertThat(migration).isNotNull();
    return Adoption.of(shape, found, migration).report();
  }
}
