package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.log.BlockedMessageSql;
import io.postroad.postgres.internal.log.LogSql;

/**
 * The statements of what waits until its destination is open: messages of the queue, or keys of the
 * log's lanes. Both have an index of those, by destination and since when they wait.
 */
public final class BlockedDestinationSql {
  // From the last destination to the first, one lookup each, and a row without a destination at the
  // end. The latest of a destination is opened last: going this way, a lookup does not meet the
  // entries of those that were opened and are not vacuumed away yet.
  private static final String WALK =
      """
      WITH RECURSIVE aside AS (
        SELECT l.lane, (
          ${latest}
          ORDER BY w.destination COLLATE "C" DESC, w.aside_at DESC
          LIMIT 1) AS destination
        FROM (${lanes}) AS l
        UNION ALL
        SELECT l.lane, (
          ${latest} AND w.destination COLLATE "C" < l.destination
          ORDER BY w.destination COLLATE "C" DESC, w.aside_at DESC
          LIMIT 1)
        FROM aside AS l
        WHERE l.destination IS NOT NULL
      )
      """
          .replace(
              "${latest}",
              """
              SELECT w.destination COLLATE "C"
                FROM ${waiting} AS w
                WHERE ${in_lane} w.aside_at IS NOT NULL"""
                  .indent(2)
                  .strip());

  private static final String DESTINATIONS =
      WALK
          + """
          SELECT destination
          FROM aside
          """;

  private static final String COUNT =
      WALK
          + """
          SELECT d.destination,
            (SELECT count(*) FROM (
              SELECT 1
              FROM aside AS l
              ${messages}
              WHERE l.destination = d.destination
              LIMIT ${limit}) AS messages),
            (SELECT CAST(extract(epoch FROM ${now} - min(o.aside_at)) * 1000000 AS bigint)
              FROM aside AS l
              CROSS JOIN LATERAL (
                SELECT w.aside_at
                FROM ${waiting} AS w
                WHERE ${in_lane} w.aside_at IS NOT NULL
                  AND w.destination COLLATE "C" = l.destination
                ORDER BY w.aside_at
                LIMIT 1) AS o
              WHERE l.destination = d.destination)
          FROM (SELECT DISTINCT destination FROM aside WHERE destination IS NOT NULL) AS d
          ORDER BY d.destination
          """;

  private static final String WAITING =
      """
      CROSS JOIN LATERAL (
        SELECT w.*
        FROM ${waiting} AS w
        WHERE ${in_lane} w.aside_at IS NOT NULL AND w.destination COLLATE "C" = l.destination
        LIMIT ${limit}) AS k
      """;

  private static final String MESSAGES_OF_KEYS =
      WAITING
          + """
          CROSS JOIN LATERAL (
            SELECT 1
            FROM ${held} AS h
            WHERE h.lane = k.lane AND h.destination = k.destination AND h.order_key = k.order_key
            LIMIT ${limit}) AS h
          """;

  private static final String OPEN_MESSAGES =
      """
      WITH longest AS MATERIALIZED (
        SELECT outbox_id
        FROM ${queue}
        WHERE aside_at IS NOT NULL AND destination COLLATE "C" = ?
        ORDER BY aside_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      )
      UPDATE ${queue}
      SET available_at = ${now}, aside_at = NULL
      WHERE outbox_id = ANY (ARRAY(SELECT outbox_id FROM longest))
      """;

  private static final String OPEN_KEYS =
      """
      WITH longest AS MATERIALIZED (
        SELECT k.ctid AS tid
        FROM ${held_key} AS k
        WHERE k.lane = (SELECT a.lane ${fence})
          AND k.aside_at IS NOT NULL AND k.destination COLLATE "C" = ?
        ORDER BY k.aside_at
        LIMIT ?
      )
      UPDATE ${held_key}
      SET due_at = ${now}, aside_at = NULL
      WHERE ctid = ANY (ARRAY(SELECT tid FROM longest))
      RETURNING destination, order_key
      """;

  /** The destinations; then a row without one. */
  public final String destinations;

  public final String count;
  public final String open;

  private BlockedDestinationSql(
      String destinations, String count, String open, PostgresOptions options) {
    this.destinations = LogSql.filled(BlockedMessageSql.LOOKUPS + destinations, options);
    this.count = LogSql.filled(BlockedMessageSql.LOOKUPS + count, options);
    this.open = LogSql.filled(BlockedMessageSql.LOOKUPS + open, options);
  }

  public static BlockedDestinationSql ofQueue(PostgresOptions options) {
    return new BlockedDestinationSql(
        ofQueue(DESTINATIONS, "${queue}"), ofQueue(COUNT, "${queue}"), OPEN_MESSAGES, options);
  }

  private static String ofQueue(String statement, String queue) {
    return statement
        .replace("${messages}", WAITING)
        .replace("${lanes}", "SELECT 0 AS lane")
        .replace("${waiting}", queue)
        .replace("${in_lane} ", "");
  }

  /** Of a table of a team. */
  public static BlockedDestinationSql ofAdopted(AdoptedSql adopted, PostgresOptions options) {
    return new BlockedDestinationSql(
        ofQueue(DESTINATIONS, adopted.rows()),
        ofQueue(COUNT, adopted.rows()),
        adopted.open(),
        options);
  }

  /** The destinations of a lane, fenced; the count of all lanes. */
  public static BlockedDestinationSql ofLog(PostgresOptions options) {
    return new BlockedDestinationSql(
        ofLog(DESTINATIONS, "SELECT a.lane ${fence}"),
        ofLog(COUNT, "SELECT lane FROM ${lane}"),
        BlockedMessageSql.ALONE + OPEN_KEYS,
        options);
  }

  private static String ofLog(String statement, String lanes) {
    return statement
        .replace("${messages}", MESSAGES_OF_KEYS)
        .replace("${lanes}", lanes)
        .replace("${waiting}", "${held_key}")
        .replace("${in_lane}", "w.lane = l.lane AND");
  }
}
