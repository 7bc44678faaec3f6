package io.postroad.postgres.internal.log;

import io.postroad.postgres.PostgresOptions;

/** The statements of blocked messages. */
public final class BlockedMessageSql {
  // Rows are looked up by primary key, one after the other, and changed by their ctid: a plan that
  // was made while nothing was held would join the other way round and read all that is.
  public static final String LOOKUPS =
      """
      SELECT set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true), \
      """
          + LogSql.SETTINGS
          + ";\n";

  static final String LOOKUPS_WITHOUT_WAITING =
      "SELECT set_config('synchronous_commit', 'off', true), " + LOOKUPS.substring(7);

  // Adding to a key and freeing it must not pass each other. The lock is a statement of its own, so
  // that the next one sees what it has waited for.
  public static final String ALONE =
      """
      SELECT a.lane
      ${fence}
      FOR UPDATE;
      """;

  // A message that is blocked already, under its key or beside it, is left alone.
  private static final String HOLD =
      """
      WITH fence AS MATERIALIZED (
        SELECT a.lane
        ${fence}
      ), h AS MATERIALIZED (
        SELECT *
        FROM unnest(
          CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS int[]),
          CAST(? AS text[])) AS h(pos, line, status, attempt, error)
      )
      INSERT INTO ${held} (${columns}, lane, order_key, pos, status, attempt, last_error,
        settled_at)
      SELECT ${message}, f.lane, h.line, h.pos, h.status, h.attempt, h.error,
        CASE h.status WHEN 'FAILED' THEN ${now} END
      FROM fence AS f
      CROSS JOIN h
      CROSS JOIN LATERAL (
        SELECT *
        FROM ${log} AS l
        WHERE l.lane = f.lane AND l.pos = h.pos
        LIMIT 1) AS q
      WHERE (
        SELECT e.pos
        FROM ${held} AS e
        WHERE e.lane = f.lane AND e.destination = q.destination
          AND e.order_key IN (${real_key}, ${own_key}) AND e.pos = h.pos
        LIMIT 1) IS NULL;
      """;

  private static final String BURY =
      """
      WITH fence AS MATERIALIZED (
        SELECT a.lane
        ${fence}
        FOR SHARE
      ), u AS MATERIALIZED (
        SELECT f.lane AS owned, h.error, ${message}, q.pos,
          (SELECT e.pos
            FROM ${held} AS e
            WHERE e.lane = f.lane AND e.destination = q.destination
              AND e.order_key IN (${real_key}, ${own_key}) AND e.pos = q.pos
            LIMIT 1) IS NOT NULL AS known
        FROM fence AS f
        CROSS JOIN unnest(CAST(? AS bigint[]), CAST(? AS text[])) AS h(pos, error)
        CROSS JOIN LATERAL (
          SELECT *
          FROM ${log} AS l
          WHERE l.lane = f.lane AND l.pos = h.pos
          LIMIT 1) AS q
      ), keys AS (
        INSERT INTO ${held_key} (lane, destination, order_key, due_at, parked_at)
        SELECT q.owned, q.destination, ${own_key}, ${now}, ${now}
        FROM u AS q
        WHERE NOT q.known
        ON CONFLICT (lane, destination, order_key) DO NOTHING
      ), messages AS (
        INSERT INTO ${held} (${columns}, lane, order_key, pos, status, attempt, last_error,
          settled_at)
        SELECT ${message}, q.owned, ${own_key}, q.pos, 'FAILED', 1, q.error, ${now}
        FROM u AS q
        WHERE NOT q.known
        ON CONFLICT (lane, destination, order_key, pos) DO NOTHING
      )
      SELECT outbox_id, error
      FROM u
      """;

  // Keys that are set aside are due last of all and never met.
  private static final String KEYS =
      """
      SELECT k.destination, k.order_key
      FROM (
        SELECT a.lane
        ${fence}) AS f
      LEFT JOIN LATERAL (
        SELECT w.destination, w.order_key
        FROM ${held_key} AS w
        WHERE w.lane = f.lane AND w.parked_at IS NULL AND w.due_at < ${when_opened}
        UNION ALL
        SELECT p.destination, p.order_key
        FROM ${held_key} AS p
        WHERE p.lane = f.lane AND p.parked_at > '-infinity') AS k ON true
      """;

  // Without anything due it locks and writes nothing. Commits synchronously: that a message was
  // being sent must be known after a crash.
  private static final String IS_BLOCKED =
      """
      SELECT EXISTS (
        SELECT 1
        FROM ${held_key} AS h
        WHERE h.lane = ? AND h.destination = ? AND h.order_key = ?)
      """;

  private static final String TAKE =
      """
      WITH mine AS MATERIALIZED (
        SELECT a.lane
        ${fence}
      ), due AS MATERIALIZED (
        SELECT k.destination, k.order_key
        FROM ${held_key} AS k
        WHERE k.lane = ? AND k.parked_at IS NULL AND k.due_at <= ${now}
        ORDER BY k.due_at
        LIMIT ?
      ), ready AS MATERIALIZED (
        SELECT m.tid, m.sent_by, row_number() OVER () AS turn
        FROM due AS d
        CROSS JOIN LATERAL (
          SELECT h.ctid AS tid, h.sent_by,
            bool_and(h.status = 'PENDING') OVER (ORDER BY h.pos) AS alive
          FROM ${held} AS h
          WHERE h.lane = ? AND h.destination = d.destination AND h.order_key = d.order_key
          ORDER BY h.pos
          LIMIT ?) AS m
        WHERE m.alive
        LIMIT ?
      ), wanted AS MATERIALIZED (
        SELECT r.*
        FROM ready AS r
        WHERE r.turn < COALESCE((
          SELECT GREATEST(min(s.turn), 2)
          FROM ready AS s
          WHERE s.sent_by IS NOT NULL
          HAVING count(*) > 0), r.turn + 1)
      ), fence AS MATERIALIZED (
        SELECT 1
        ${fence} AND EXISTS (SELECT 1 FROM wanted)
        FOR SHARE
      ), taken AS (
        UPDATE ${held} AS q
        SET attempt = q.attempt + 1, sent_by = ?
        FROM wanted AS w
        WHERE q.ctid = ANY (ARRAY(SELECT tid FROM wanted)) AND q.ctid = w.tid
          AND EXISTS (SELECT 1 FROM fence)
        RETURNING ${message}, q.pos, q.order_key, q.attempt, w.sent_by, w.turn
      )
      SELECT t.*
      FROM mine
      LEFT JOIN taken AS t ON true
      """;

  // A message without an open attempt was settled before: a repetition must not undo a decision
  // since.
  private static final String SETTLE =
      """
      WITH fence AS MATERIALIZED (
        SELECT a.lane
        ${fence}
      ), s AS MATERIALIZED (
        SELECT *
        FROM unnest(
          CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]),
          CAST(? AS text[]), CAST(? AS int[]), CAST(? AS text[]))
          AS s(pos, destination, order_key, line, status, uncounted, error)
      ), found AS MATERIALIZED (
        SELECT s.*, m.tid
        FROM fence AS f
        CROSS JOIN s
        CROSS JOIN LATERAL (
          SELECT h.ctid AS tid
          FROM ${held} AS h
          WHERE h.lane = f.lane AND h.destination = s.destination AND h.order_key = s.order_key
            AND h.pos = s.pos AND h.sent_by IS NOT NULL
          LIMIT 1) AS m
      ), delivered AS (
        DELETE FROM ${held}
        WHERE ctid = ANY (ARRAY(SELECT tid FROM found WHERE status = 'DISPATCHED'))
      )
      UPDATE ${held} AS h
      SET status = s.status,
        order_key = s.line,
        attempt = GREATEST(h.attempt - s.uncounted, 0),
        last_error = COALESCE(s.error, h.last_error),
        sent_by = NULL,
        settled_at = CASE s.status WHEN 'FAILED' THEN ${now} END
      FROM found AS s
      WHERE s.status <> 'DISPATCHED' AND h.ctid = s.tid
        AND h.ctid = ANY (ARRAY(SELECT tid FROM found WHERE status <> 'DISPATCHED'));
      """;

  private static final String DECISIONS =
      """
      SELECT (SELECT l.decisions FROM ${lane} AS l WHERE l.lane = a.lane)
      ${fence}
      """;

  final String hold;
  final String bury;
  final String keys;
  final String isBlocked;
  final String take;
  final String settle;
  final String decisions;

  public BlockedMessageSql(PostgresOptions options) {
    hold =
        LogSql.filled(
            LOOKUPS_WITHOUT_WAITING + ALONE + HOLD + KeyStateSql.JOINED + ";\n" + LogSql.ADVANCE,
            options);
    bury = LogSql.filled(LOOKUPS + BURY, options);
    keys = LogSql.filled(LOOKUPS + KEYS, options);
    isBlocked = LogSql.filled(LOOKUPS + IS_BLOCKED, options);
    take = LogSql.filled(LOOKUPS + TAKE, options);
    settle = LogSql.filled(LOOKUPS_WITHOUT_WAITING + ALONE + SETTLE + KeyStateSql.SETTLED, options);
    decisions = LogSql.filled(LogSql.BY_INDEX + DECISIONS, options);
  }
}
