package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.log.LogSql;

/** The statements that look at the ordered outbox and change nothing. */
public final class InspectSql {
  // A lane's late messages, those up to its head that its position does not cover: a lateral
  // subquery, p being the lane's row of outbox_position. Written as in LogSql.READ.
  public static final String LATE =
      """
      SELECT m.pos, m.created_at
      FROM pg_snapshot_xip(p.snap) AS x(xid)
      CROSS JOIN LATERAL (
        SELECT l.pos, l.created_at
        FROM ${table} AS l
        WHERE l.xid = x.xid AND (l.xid, l.pos) <= (x.xid, p.head)
          AND (l.xid, l.pos) > (x.xid, p.copied_up_to) AND l.lane + 0 = p.lane
          AND NOT COALESCE(
            l.pos <= p.window_after AND pg_visible_in_snapshot(l.xid, p.window_snap), false)
        ORDER BY l.pos
        LIMIT ${limit}) AS m
      WHERE pg_visible_in_snapshot(x.xid, pg_current_snapshot())
      UNION ALL
      SELECT l.pos, l.created_at
      FROM ${table} AS l
      WHERE l.xid >= pg_snapshot_xmax(p.snap) AND l.xid < p.next_xid AND l.pos + 0 <= p.head
        AND l.pos + 0 > p.copied_up_to AND l.lane + 0 = p.lane AND l.xid < pg_snapshot_xmax(pg_current_snapshot())
        AND NOT COALESCE(
          l.pos <= p.window_after AND pg_visible_in_snapshot(l.xid, p.window_snap), false)
      """;

  // OFFSET keeps the join from choosing how a message is looked up.
  private static final String FIND =
      """
      SELECT ${message}, q.status, q.attempt, COALESCE(k.due_at, q.created_at), q.sent_by,
        q.last_error, COALESCE(n.lease_until > ${now}, false)
      FROM (
        SELECT *
        FROM ${held}
        WHERE outbox_id = ?
        OFFSET 0) AS q
      LEFT JOIN ${held_key} AS k
        ON k.lane = q.lane AND k.destination = q.destination AND k.order_key = q.order_key
      LEFT JOIN ${lane} AS n ON n.lane = q.lane
      UNION ALL
      SELECT ${message}, 'PENDING', 0, q.not_before, NULL, NULL, false
      FROM ${scheduled} AS q
      WHERE q.outbox_id = ?
      UNION ALL
      SELECT ${message}, CASE WHEN s.settled THEN 'DISPATCHED' ELSE 'PENDING' END,
        CASE WHEN s.settled THEN 1 ELSE 0 END, GREATEST(q.created_at, q.not_before), NULL, NULL,
        false
      FROM (
        SELECT *
        FROM ${log}
        WHERE outbox_id = ?
        OFFSET 0) AS q
      JOIN ${position} AS p ON p.lane = q.lane
      CROSS JOIN LATERAL (
        SELECT q.pos <= p.head AND (
          q.pos <= p.copied_up_to
          OR pg_visible_in_snapshot(q.xid, p.snap)
          OR COALESCE(
            q.pos <= p.window_after AND pg_visible_in_snapshot(q.xid, p.window_snap), false))
          AS settled) AS s
      LIMIT 1
      """;

  private static final String BACKLOG =
      """
      SELECT
        (SELECT count(*) FROM (
          SELECT 1
          FROM ${position} AS p
          CROSS JOIN LATERAL (
            SELECT 1
            FROM ${log} AS l
            WHERE l.lane = p.lane AND l.pos > p.head
            ORDER BY l.pos
            LIMIT ${limit}) AS m
          UNION ALL
          SELECT 1
          FROM ${position} AS p
          CROSS JOIN LATERAL (${late}) AS m
          UNION ALL
          SELECT 1
          FROM ${held} AS h
          WHERE h.status = 'PENDING'
          UNION ALL
          SELECT 1
          FROM ${scheduled} AS s
          LIMIT ${limit}) AS pending),
        (SELECT count(*) FROM (
          SELECT 1
          FROM ${held} AS h
          WHERE h.status = 'FAILED'
          LIMIT ${limit}) AS dead),
        (SELECT CAST(extract(epoch FROM ${now} - min(oldest.due_at)) * 1000000 AS bigint) FROM (
          SELECT m.due_at
          FROM ${position} AS p
          CROSS JOIN LATERAL (
            SELECT GREATEST(l.created_at, l.not_before) AS due_at
            FROM ${log} AS l
            WHERE l.lane = p.lane AND l.pos > p.head
            ORDER BY l.pos
            LIMIT 1) AS m
          UNION ALL
          SELECT m.created_at
          FROM ${position} AS p
          CROSS JOIN LATERAL (${late} LIMIT ${limit}) AS m
          UNION ALL
          SELECT m.due_at
          FROM ${lane} AS p
          CROSS JOIN LATERAL (
            SELECT k.due_at
            FROM ${held_key} AS k
            WHERE k.lane = p.lane AND k.parked_at IS NULL AND k.due_at <= ${now}
            ORDER BY k.due_at
            LIMIT 1) AS m
          UNION ALL
          SELECT m.not_before
          FROM ${lane} AS p
          CROSS JOIN LATERAL (
            SELECT s.not_before
            FROM ${scheduled} AS s
            WHERE s.lane = p.lane AND s.not_before <= ${now}
            ORDER BY s.not_before, s.pos
            LIMIT 1) AS m) AS oldest)
      """;

  final String find;
  final String backlog;

  public InspectSql(PostgresOptions options) {
    find = LogSql.filled(LogSql.BY_INDEX + FIND, options);
    String late = LATE.replace("${table}", "${log}");
    backlog = LogSql.filled(LogSql.BY_INDEX + BACKLOG.replace("${late}", late), options);
  }
}
