package io.postroad.drain;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** Tables of other outboxes, with the columns and types that those libraries give them. */
final class OldOutboxes {
  /** Spring Modulith 1.0 to 1.4, and 2.x in its legacy structure. */
  static final String MODULITH_1 =
      """
      CREATE TABLE event_publication (
        id uuid PRIMARY KEY, listener_id text NOT NULL, event_type text NOT NULL,
        serialized_event text NOT NULL, publication_date timestamptz NOT NULL,
        completion_date timestamptz);
      """;

  /** Spring Modulith 2.0 and 2.1, with the table of the completion mode ARCHIVE. */
  static final String MODULITH_2 =
      MODULITH_1
          + """
            ALTER TABLE event_publication ADD status text, ADD completion_attempts int,
              ADD last_resubmission_date timestamptz;
            CREATE TABLE event_publication_archive (LIKE event_publication INCLUDING ALL);
            """;

  /** Namastack 1.0 to 1.8. */
  static final String NAMASTACK_1 =
      """
      CREATE TABLE outbox_record (
        id varchar(255) PRIMARY KEY, status varchar(20) NOT NULL,
        record_key varchar(255) NOT NULL, record_type varchar(255) NOT NULL,
        payload text NOT NULL, context text, created_at timestamptz NOT NULL,
        completed_at timestamptz, failure_count int NOT NULL, failure_reason varchar(1000),
        next_retry_at timestamptz NOT NULL, partition_no int NOT NULL,
        handler_id varchar(1000) NOT NULL);
      CREATE INDEX ON outbox_record (record_key, created_at);
      """;

  /** Namastack 0.4. */
  static final String NAMASTACK_0_4 =
      NAMASTACK_1 + "ALTER TABLE outbox_record DROP context, DROP failure_reason;";

  /** Long enough ago for every row to be old. */
  static final Instant THEN = Instant.parse("2020-02-03T04:05:06.123456Z");

  private final DrainDatabase database;

  OldOutboxes(DrainDatabase database) {
    this.database = database;
  }

  /** Inserts a publication of version 1. */
  String publication(int second, String listener, String type) throws SQLException {
    String id = UUID.randomUUID().toString();
    database.update(
        "INSERT INTO event_publication (id, listener_id, event_type, serialized_event,"
            + " publication_date) VALUES (CAST(? AS uuid), ?, ?, ?, CAST(? AS timestamptz))",
        id,
        listener,
        type,
        "{\"n\":%d}".formatted(second),
        at(second));
    return id;
  }

  /** Inserts a publication of version 2; an empty status for none, as in rows of version 1. */
  String publication(int second, String status) throws SQLException {
    String id = publication(second, "shop.Mailer.on(shop.OrderPlaced)", "shop.OrderPlaced");
    database.update(
        "UPDATE event_publication SET status = NULLIF(?, ''), completion_attempts = 1,"
            + " last_resubmission_date = publication_date WHERE id = CAST(? AS uuid)",
        status,
        id);
    return id;
  }

  /** Inserts a record of Namastack that is due. */
  String record(int second, String key, String status) throws SQLException {
    return record(UUID.randomUUID().toString(), second, key, status, THEN);
  }

  String record(String id, int second, String key, String status, Instant due) throws SQLException {
    database.update(
        "INSERT INTO outbox_record (id, status, record_key, record_type, payload, created_at,"
            + " failure_count, next_retry_at, partition_no, handler_id, completed_at)"
            + " VALUES (?, ?, ?, 'shop.Orders$Placed', ?, CAST(? AS timestamptz), 0,"
            + " CAST(? AS timestamptz), 7, 'mailer', CASE WHEN ? THEN now() END)",
        id,
        status,
        key,
        "{\"n\":%d}".formatted(second),
        at(second),
        due.toString(),
        status.equals("COMPLETED"));
    return id;
  }

  private static String at(int second) {
    return THEN.plus(Duration.ofSeconds(second)).toString();
  }
}
