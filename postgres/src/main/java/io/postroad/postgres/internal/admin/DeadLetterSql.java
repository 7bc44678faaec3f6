package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.log.BlockedMessageSql;
import io.postroad.postgres.internal.log.LogSql;

/** The statements that read dead letters. Rows are those of {@link StoredLetter}. */
public final class DeadLetterSql {
  private static final String DIED_AT = "COALESCE(q.settled_at, q.created_at)";

  /**
   * A row {@code q} that was looked up by its id is dead. An index on the status cannot serve it:
   * to a planner that knows of no dead letters it would look like the better one.
   */
  static final String DEAD = "q.status || '' = 'FAILED'";

  private static final String LETTER =
      """
      SELECT ${message}, q.attempt, ${died_at}, COALESCE(q.last_error, ''), ${place}
      """;

  // The queue has no order: nothing waits behind a dead letter.
  private static final String NO_PLACE = "false, 0, '', '', 0";

  private static final String PLACE =
      """
      q.order_key LIKE 'key/%' AND q.pos = (
          SELECT h.pos
          FROM ${held} AS h
          WHERE h.lane = q.lane AND h.destination = q.destination AND h.order_key = q.order_key
          ORDER BY h.pos
          LIMIT 1), q.lane, q.order_key, ${real_key}, q.pos""";

  private static final String LIST =
      LETTER
          + """
          FROM ${table} AS q
          WHERE q.status = 'FAILED' AND (${died_at}, q.outbox_id) > (?, ?)
            AND ${died_at} >= ? AND ${died_at} < ?
            AND q.destination IS NOT DISTINCT FROM COALESCE(?, q.destination)
            AND q.type IS NOT DISTINCT FROM COALESCE(?, q.type)
            AND q.message_key IS NOT DISTINCT FROM COALESCE(?, q.message_key)
            AND strpos(COALESCE(q.last_error, ''), ?) > 0
          ORDER BY ${died_at}, q.outbox_id
          LIMIT ?
          """;

  private static final String FIND =
      LETTER
          + """
          FROM ${table} AS q
          WHERE q.outbox_id = ? AND ${dead}
          LIMIT 1
          """;

  private static final String LOCK =
      LETTER
          + """
          FROM ${table} AS q
          WHERE q.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
          ORDER BY q.outbox_id
          FOR UPDATE OF q
          """;

  private static final String LOCK_FIRST =
      LETTER
          + """
          FROM (
            SELECT *
            FROM ${held}
            WHERE lane = ? AND destination = ? AND order_key = ?
            ORDER BY pos
            LIMIT 1) AS q
          WHERE q.status = 'FAILED'
          """;

  // Those that park a key, or would once the others of the call are out of the way.
  private static final String LOCK_PARKING =
      LETTER
          + """
          FROM ${table} AS q
          WHERE q.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
            AND q.order_key LIKE 'key/%' AND (
              SELECT h.pos
              FROM ${held} AS h
              WHERE h.lane = q.lane AND h.destination = q.destination
                AND h.order_key = q.order_key AND h.pos < q.pos
                AND NOT (h.status = 'FAILED'
                  AND h.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])))
              ORDER BY h.pos
              LIMIT 1) IS NULL
          ORDER BY q.outbox_id
          FOR UPDATE OF q
          """;

  public final String list;
  final String find;
  public final String lock;
  final String lockFirst;
  final String lockParking;

  private DeadLetterSql(String table, String place, PostgresOptions options) {
    list = filled(BlockedMessageSql.LOOKUPS + LIST, table, place, options);
    find = filled(BlockedMessageSql.LOOKUPS + FIND, table, place, options);
    lock = filled(LOCK, table, place, options);
    lockFirst = filled(LOCK_FIRST, table, place, options);
    lockParking = filled(LOCK_PARKING, table, place, options);
  }

  public static DeadLetterSql ofQueue(PostgresOptions options) {
    return new DeadLetterSql("${queue}", NO_PLACE, options);
  }

  /** Of a table of a team. */
  public static DeadLetterSql ofAdopted(AdoptedSql adopted, PostgresOptions options) {
    return new DeadLetterSql(adopted.rows(), NO_PLACE, options);
  }

  public static DeadLetterSql ofLog(PostgresOptions options) {
    return new DeadLetterSql("${held}", PLACE, options);
  }

  private static String filled(
      String statement, String table, String place, PostgresOptions options) {
    return LogSql.filled(
        statement
            .replace("${table}", table)
            .replace("${place}", place)
            .replace("${died_at}", DIED_AT)
            .replace("${dead}", DEAD),
        options);
  }
}
