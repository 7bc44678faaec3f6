package io.postroad.postgres;

import java.util.List;

/** The statements of what is not in the log: messages that are held back, and scheduled ones. */
final class HeldSql {
  // Rows are looked up by primary key, one after the other, and changed by their ctid: a plan that
  // was
  // made while nothing was held would join the other way round and read all that is.
  private static final String LOOKUPS =
      """
      SELECT set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true), \
      """
          + LogSql.SETTINGS
          + ";\n";

  private static final String LOOKUPS_WITHOUT_WAITING =
      "SELECT set_config('synchronous_commit', 'off', true), " + LOOKUPS.substring(7);

  // Adding to a key and freeing it must not pass each other. The lock is a statement of its own, so
  // that the next one sees what it has waited for.
  private static final String ALONE =
      """
      SELECT a.lane
      ${fence}
      FOR UPDATE;
      """;

  private static final String HOLD =
      """
      WITH fence AS MATERIALIZED (
        SELECT a.lane, a.epoch
        ${fence}
      ), h AS MATERIALIZED (
        SELECT *
        FROM unnest(
          CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]),
          CAST(? AS bigint[]), CAST(? AS int[]), CAST(? AS text[]))
          AS h(pos, destination, order_key, status, delay, attempt, error)
      ), messages AS (
        INSERT INTO ${held} (${columns}, lane, order_key, pos, status, attempt, last_error,
          settled_at)
        SELECT ${message}, f.lane, h.order_key, h.pos, h.status, h.attempt, h.error,
          CASE h.status WHEN 'FAILED' THEN ${now} END
        FROM fence AS f
        CROSS JOIN h
        CROSS JOIN LATERAL (
          SELECT *
          FROM ${log} AS l
          WHERE l.lane = f.lane AND l.pos = h.pos
          LIMIT 1) AS q
        ON CONFLICT (lane, destination, order_key, pos) DO NOTHING
      ), keys AS (
        INSERT INTO ${held_key} (lane, destination, order_key, due_at, parked)
        SELECT f.lane, h.destination, h.order_key, ${now} + h.delay * INTERVAL '1 microsecond',
          h.status = 'FAILED'
        FROM fence AS f
        CROSS JOIN h
        ON CONFLICT (lane, destination, order_key) DO NOTHING
      )
      ${advance}
      """;

  private static final String BURY =
      """
      WITH fence AS MATERIALIZED (
        SELECT a.lane
        ${fence}
        FOR SHARE
      ), u AS MATERIALIZED (
        SELECT f.lane AS owned, h.error, ${message}, q.pos
        FROM fence AS f
        CROSS JOIN unnest(CAST(? AS bigint[]), CAST(? AS text[])) AS h(pos, error)
        CROSS JOIN LATERAL (
          SELECT *
          FROM ${log} AS l
          WHERE l.lane = f.lane AND l.pos = h.pos
          LIMIT 1) AS q
      ), keys AS (
        INSERT INTO ${held_key} (lane, destination, order_key, due_at, parked)
        SELECT u.owned, u.destination, 'id/' || u.outbox_id, ${now}, true
        FROM u
        ON CONFLICT (lane, destination, order_key) DO NOTHING
      ), messages AS (
        INSERT INTO ${held} (${columns}, lane, order_key, pos, status, attempt, last_error,
          settled_at)
        SELECT ${message}, q.owned, 'id/' || q.outbox_id, q.pos, 'FAILED', 1, q.error, ${now}
        FROM u AS q
        ON CONFLICT (lane, destination, order_key, pos) DO NOTHING
      )
      SELECT outbox_id, error
      FROM u
      """;

  private static final String KEYS =
      """
      SELECT k.destination, k.order_key
      FROM (
        SELECT a.lane
        ${fence}) AS f
      LEFT JOIN ${held_key} AS k ON k.lane = f.lane
      """;

  // Without anything due it locks and writes nothing. Commits synchronously: that a message was
  // being sent must be known after a crash.
  private static final String TAKE =
      """
      WITH mine AS MATERIALIZED (
        SELECT a.lane
        ${fence}
      ), due AS MATERIALIZED (
        SELECT k.destination, k.order_key
        FROM ${held_key} AS k
        WHERE k.lane = ? AND NOT k.parked AND k.due_at <= ${now}
        ORDER BY k.due_at
        LIMIT ?
      ), wanted AS MATERIALIZED (
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

  private static final String SETTLE =
      """
      WITH fence AS MATERIALIZED (
        SELECT a.lane
        ${fence}
      ), s AS MATERIALIZED (
        SELECT *
        FROM unnest(
          CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]),
          CAST(? AS int[]), CAST(? AS text[]))
          AS s(pos, destination, order_key, status, uncounted, error)
      ), found AS MATERIALIZED (
        SELECT s.*, m.tid
        FROM fence AS f
        CROSS JOIN s
        CROSS JOIN LATERAL (
          SELECT h.ctid AS tid
          FROM ${held} AS h
          WHERE h.lane = f.lane AND h.destination = s.destination AND h.order_key = s.order_key
            AND h.pos = s.pos
          LIMIT 1) AS m
      ), delivered AS (
        DELETE FROM ${held}
        WHERE ctid = ANY (ARRAY(SELECT tid FROM found WHERE status = 'DISPATCHED'))
      )
      UPDATE ${held} AS h
      SET status = s.status,
        attempt = GREATEST(h.attempt - s.uncounted, 0),
        last_error = COALESCE(s.error, h.last_error),
        sent_by = NULL,
        settled_at = CASE s.status WHEN 'FAILED' THEN ${now} END
      FROM found AS s
      WHERE s.status <> 'DISPATCHED' AND h.ctid = s.tid
        AND h.ctid = ANY (ARRAY(SELECT tid FROM found WHERE status <> 'DISPATCHED'));
      """;

  private static final String SETTLE_KEYS =
      """
      WITH fence AS MATERIALIZED (
        SELECT a.lane
        ${fence}
      ), s AS MATERIALIZED (
        SELECT *
        FROM unnest(
          CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[]))
          AS s(pos, destination, order_key, delay)
      ), keys AS MATERIALIZED (
        SELECT own.tid, k.destination, k.order_key, first.pos, first.status,
          (SELECT s.delay
            FROM s
            WHERE s.destination = k.destination AND s.order_key = k.order_key
              AND s.pos = first.pos
            LIMIT 1) AS delay
        FROM fence AS f
        CROSS JOIN (SELECT DISTINCT destination, order_key FROM s) AS k
        LEFT JOIN LATERAL (
          SELECT h.pos, h.status
          FROM ${held} AS h
          WHERE h.lane = f.lane AND h.destination = k.destination AND h.order_key = k.order_key
          ORDER BY h.pos
          LIMIT 1) AS first ON true
        LEFT JOIN LATERAL (
          SELECT h.ctid AS tid
          FROM ${held_key} AS h
          WHERE h.lane = f.lane AND h.destination = k.destination AND h.order_key = k.order_key
          LIMIT 1) AS own ON true
      ), freed AS (
        DELETE FROM ${held_key}
        WHERE ctid = ANY (ARRAY(SELECT tid FROM keys WHERE pos IS NULL))
      ), kept AS (
        UPDATE ${held_key} AS h
        SET due_at = COALESCE(${now} + k.delay * INTERVAL '1 microsecond', h.due_at),
          parked = k.status = 'FAILED'
        FROM keys AS k
        WHERE k.pos IS NOT NULL AND h.ctid = k.tid
          AND h.ctid = ANY (ARRAY(SELECT tid FROM keys WHERE pos IS NOT NULL))
      )
      SELECT k.destination, k.order_key
      FROM keys AS k
      WHERE k.pos IS NULL
      """;

  private static final String ADMIT =
      """
      WITH mine AS MATERIALIZED (
        SELECT a.lane
        ${fence}
      ), due AS MATERIALIZED (
        SELECT s.outbox_id
        FROM ${scheduled} AS s
        WHERE s.lane = ? AND s.not_before <= ${now} AND EXISTS (SELECT 1 FROM mine)
        ORDER BY s.not_before, s.pos
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ), fence AS MATERIALIZED (
        SELECT 1
        ${fence} AND EXISTS (SELECT 1 FROM due)
        FOR SHARE
      ), moved AS (
        DELETE FROM ${scheduled}
        WHERE outbox_id = ANY (ARRAY(SELECT outbox_id FROM due)) AND EXISTS (SELECT 1 FROM fence)
        RETURNING *
      ), admitted AS (
        INSERT INTO ${log_n} (${columns}, lane)
        SELECT ${message}, q.lane
        FROM moved AS q
        ORDER BY q.not_before, q.pos
        RETURNING 1
      )
      SELECT (SELECT count(*) FROM admitted)
      FROM mine
      """;

  final String hold;
  final String bury;
  final String keys;
  final String take;
  final String settle;
  final List<String> admit;

  HeldSql(PostgresOptions options) {
    hold =
        LogSql.filled(
            LOOKUPS_WITHOUT_WAITING + ALONE + HOLD.replace("${advance}", LogSql.WRITE_CURSOR),
            options);
    bury = LogSql.filled(LOOKUPS + BURY, options);
    keys = LogSql.filled(LOOKUPS + KEYS, options);
    take = LogSql.filled(LOOKUPS + TAKE, options);
    settle = LogSql.filled(LOOKUPS_WITHOUT_WAITING + ALONE + SETTLE + SETTLE_KEYS, options);
    admit = LogSql.perTable(LOOKUPS_WITHOUT_WAITING + ADMIT, options);
  }
}
