package io.postroad.postgres.internal.log;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.admin.InspectSql;
import java.util.List;

/** The statements that free space. */
public final class RotationSql {
  // One lane after the other, each by index; the first column says whether the table holds anything
  // that is not delivered, the second how long ago the newest message was appended. A message that
  // was copied from another server, before a take has noted that, counts as not delivered.
  private static final String STATE =
      """
      SELECT
        EXISTS (
          SELECT 1
          FROM ${position} AS p
          LEFT JOIN LATERAL (
            SELECT l.pos
            FROM ${log_n} AS l
            WHERE l.lane = p.lane AND l.pos > p.head
            ORDER BY l.pos
            LIMIT 1) AS ahead ON true
          LEFT JOIN LATERAL (
            SELECT m.pos
            FROM (${late}) AS m
            LIMIT 1) AS late ON true
          LEFT JOIN LATERAL (
            SELECT l.pos
            FROM ${log_n} AS l
            WHERE l.xid >= pg_snapshot_xmax(pg_current_snapshot())
              AND l.pos + 0 > p.copied_up_to AND l.lane + 0 = p.lane
            LIMIT 1) AS copied ON true
          WHERE p.window_snap IS NOT NULL OR ahead.pos IS NOT NULL OR late.pos IS NOT NULL
            OR copied.pos IS NOT NULL),
        (SELECT CAST(extract(epoch FROM ${now} - max(m.appended_at)) * 1000000 AS bigint)
          FROM ${lane} AS n
          CROSS JOIN LATERAL (
            SELECT GREATEST(l.created_at, l.not_before) AS appended_at
            FROM ${log_n} AS l
            WHERE l.lane = n.lane
            ORDER BY l.pos DESC
            LIMIT 1) AS m)
      """;

  private static final String TRY_ALONE =
      "SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0))";

  private static final String PATIENCE = "SELECT set_config('lock_timeout', ?, true)";

  private static final String LOCK = "LOCK TABLE ${log_n} IN ACCESS EXCLUSIVE MODE";

  private static final String COUNT =
      """
      SELECT GREATEST(
        (SELECT count(*) FROM (SELECT 1 FROM ${log_n} LIMIT ${limit}) AS counted),
        (SELECT CAST(reltuples AS bigint) FROM pg_class WHERE oid = '${log_n}'::regclass))
      """;

  private static final String TRUNCATE = "TRUNCATE ${log_n}";

  // Sessions and prepared transactions. The latter have no session and are found by the lock on
  // their own transaction id. The parameter says whether readers count.
  private static final String HOLDERS =
      """
      WITH k AS MATERIALIZED (
        SELECT pid, virtualtransaction
        FROM pg_locks
        WHERE locktype = 'relation' AND relation = '${log_n}'::regclass AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND (? OR mode NOT IN ('AccessShareLock', 'RowShareLock'))
      )
      SELECT a.pid, CAST(a.usename AS text), a.application_name, a.state,
        CAST(extract(epoch FROM clock_timestamp() - a.xact_start) AS bigint), NULL
      FROM k
      JOIN pg_stat_activity AS a ON a.pid = k.pid
      WHERE k.pid <> pg_backend_pid()
      UNION
      SELECT NULL, CAST(p.owner AS text), NULL, NULL,
        CAST(extract(epoch FROM clock_timestamp() - p.prepared) AS bigint), p.gid
      FROM k
      JOIN pg_locks AS x ON x.locktype = 'transactionid' AND x.granted AND x.pid IS NULL
        AND x.virtualtransaction = k.virtualtransaction
      JOIN pg_prepared_xacts AS p ON p.transaction = x.transactionid
      WHERE k.pid IS NULL
      ORDER BY 5 DESC NULLS LAST
      """;

  private static final String PURGE_CURSORS =
      """
      WITH latest AS MATERIALIZED (
        SELECT l.lane, c.epoch, c.step
        FROM ${lane} AS l
        CROSS JOIN LATERAL (
          SELECT epoch, step
          FROM ${cursor}
          WHERE lane = l.lane
          ORDER BY epoch DESC, step DESC
          LIMIT 1) AS c
      )
      DELETE FROM ${cursor} AS c
      USING latest
      WHERE c.lane = latest.lane AND (c.epoch, c.step) < (latest.epoch, latest.step - ?)
      """;

  private static final String PURGE_NODES =
      """
      DELETE FROM ${node}
      WHERE seen_until <= ${now} - INTERVAL '1 hour'
      """;

  final List<String> state;
  final String tryAlone;
  final String patience;
  final List<String> lock;
  final List<String> count;
  final List<String> truncate;
  final List<String> holders;
  final String purgeCursors;
  final String purgeNodes;

  public RotationSql(PostgresOptions options) {
    String late = InspectSql.LATE.replace("${table}", "${log_n}");
    state = LogSql.perTable(LogSql.BY_INDEX + STATE.replace("${late}", late), options);
    tryAlone = TRY_ALONE;
    patience = PATIENCE;
    lock = LogSql.perTable(LOCK, options);
    count = LogSql.perTable(COUNT, options);
    truncate = LogSql.perTable(TRUNCATE, options);
    holders = LogSql.perTable(HOLDERS, options);
    purgeCursors = LogSql.filled(LogSql.BY_INDEX_WITHOUT_WAITING + PURGE_CURSORS, options);
    purgeNodes = LogSql.filled(LogSql.BY_INDEX_WITHOUT_WAITING + PURGE_NODES, options);
  }
}
