package io.postroad.postgres.internal.inbox;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.queue.OutboxSql;

/** The statements of the inbox, with table names and clock put in once. */
public final class InboxSql {
  private static final String ENTER =
      """
      INSERT INTO ${inbox} (message_id, handler, processed_at)
      VALUES (?, ?, ${now})
      ON CONFLICT (message_id, handler) DO NOTHING
      """;

  private static final String KEY_WAITS =
      """
      SELECT EXISTS (
        SELECT 1
        FROM ${waiting}
        WHERE order_name = ? AND order_key = ?)
      """;

  private static final String LOOK =
      """
      SELECT
        EXISTS (
          SELECT 1
          FROM ${inbox}
          WHERE message_id = ? AND handler = ?),
        EXISTS (
          SELECT 1
          FROM ${waiting}
          WHERE order_name = ? AND order_key = ?)
      """;

  private static final String WAITS =
      """
      INSERT INTO ${waiting} (retry_id, order_name, order_key, since)
      VALUES (?, ?, ?, ${now})
      ON CONFLICT (retry_id) DO NOTHING
      """;

  private static final String LEFT =
      """
      DELETE FROM ${waiting}
      WHERE retry_id = ?
      """;

  private static final String WAITING =
      """
      SELECT retry_id, order_name, order_key, since
      FROM ${waiting}
      WHERE retry_id > ? AND since < ${now} - ? * INTERVAL '1 microsecond'
      ORDER BY retry_id
      LIMIT ?
      """;

  private static final String PURGE =
      """
      DELETE FROM ${inbox}
      WHERE ctid = ANY (ARRAY(
        SELECT ctid
        FROM ${inbox}
        WHERE processed_at < ${now} - ? * INTERVAL '1 microsecond'
        ORDER BY processed_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED))
      """;

  public final String enter;
  public final String keyWaits;
  public final String look;
  public final String waits;
  public final String left;
  public final String waiting;
  public final String purge;
  public final String now;

  public InboxSql(PostgresOptions options) {
    enter = filled(ENTER, options);
    keyWaits = filled(KEY_WAITS, options);
    look = filled(OutboxSql.BY_INDEX + LOOK, options);
    waits = filled(WAITS, options);
    left = filled(LEFT, options);
    waiting = filled(OutboxSql.BY_INDEX + WAITING, options);
    purge = filled(OutboxSql.BY_INDEX + PURGE, options);
    now = filled(OutboxSql.BY_INDEX + "SELECT ${now}", options);
  }

  private static String filled(String statement, PostgresOptions options) {
    return statement
        .replace("${inbox}", options.qualified("inbox"))
        .replace("${waiting}", options.qualified("inbox_waiting"))
        .replace("${now}", options.clock());
  }
}
