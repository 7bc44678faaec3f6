package io.postroad.postgres.internal.admin;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.append.MessageBinding;
import io.postroad.postgres.internal.log.KeyStateSql;
import io.postroad.postgres.internal.log.LogSql;
import java.util.List;

/** The statements of what people do to what the ordered store holds back. */
public final class LogDeadLetterSql {
  // Without DISTINCT, for which the primary key would be read from end to end.
  private static final String LANES =
      """
      SELECT q.lane
      FROM ${held} AS q
      WHERE q.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
      """;

  // In the order of a take-over: first the lane, then what its owner locks to hold back and settle.
  private static final String LOCK_LANES =
      """
      SELECT lane
      FROM ${lane}
      WHERE lane = ANY (CAST(? AS smallint[]))
      ORDER BY lane
      FOR UPDATE
      """;

  private static final String LOCK_OWNERS =
      """
      SELECT lane
      FROM ${awake}
      WHERE lane = ANY (CAST(? AS smallint[]))
      ORDER BY lane
      FOR UPDATE
      """;

  private static final String COUNT_DECISION =
      """
      UPDATE ${lane}
      SET decisions = decisions + 1
      WHERE lane = ANY (CAST(? AS smallint[]))
      """;

  private static final String REPLAY =
      """
      UPDATE ${held} AS q
      SET status = 'PENDING', order_key = ${real_key}, attempt = 0, sent_by = NULL,
        settled_at = NULL
      WHERE q.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
      """;

  private static final String SKIP =
      """
      UPDATE ${held} AS q
      SET order_key = ${own_key}
      WHERE q.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
      """;

  private static final String DISCARD =
      """
      DELETE FROM ${held} AS q
      WHERE q.outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND ${dead}
      """;

  // In the log too, where it would look delivered, and be read again after a restore.
  private static final String DISCARD_IN_LOG =
      """
      DELETE FROM ${log_n}
      WHERE ctid = ANY (ARRAY(
        SELECT m.tid
        FROM unnest(
          CAST(? AS smallint[]), CAST(? AS bigint[]), CAST(CAST(? AS text[]) AS uuid[]))
          AS d(lane, pos, outbox_id)
        CROSS JOIN LATERAL (
          SELECT l.ctid AS tid
          FROM ${log_n} AS l
          WHERE l.lane = d.lane AND l.pos = d.pos AND l.outbox_id = d.outbox_id
          LIMIT 1) AS m))
      """;

  private static final String REPLACE =
      """
      UPDATE ${held} AS q
      SET (${bound}) = (${parameters}), order_key = ?, status = 'PENDING', attempt = 0,
        last_error = NULL, sent_by = NULL, settled_at = NULL
      WHERE q.outbox_id = ? AND q.pos + 0 = ? AND ${dead}
      """;

  private static final String REPLACE_IN_LOG =
      """
      UPDATE ${log_n} AS l
      SET (${columns}) = (
        SELECT ${message}
        FROM ${held} AS q
        WHERE q.outbox_id = ? AND q.pos + 0 = l.pos)
      WHERE l.lane = ? AND l.pos = ? AND l.outbox_id = ?
      """;

  final String lanes;
  final String lockLanes;
  final String lockOwners;
  final String countDecision;
  final String replay;
  final String skip;
  final String discard;
  final List<String> discardInLog;
  final String replace;
  final List<String> replaceInLog;
  final String keys;

  public LogDeadLetterSql(PostgresOptions options) {
    lanes = filled(LANES, options);
    lockLanes = LogSql.filled(LOCK_LANES, options);
    lockOwners = LogSql.filled(LOCK_OWNERS, options);
    countDecision = LogSql.filled(COUNT_DECISION, options);
    replay = filled(REPLAY, options);
    skip = filled(SKIP, options);
    discard = filled(DISCARD, options);
    discardInLog = LogSql.perTable(DISCARD_IN_LOG, options);
    replace = filled(MessageBinding.bound(REPLACE), options);
    replaceInLog = LogSql.perTable(REPLACE_IN_LOG, options);
    keys = LogSql.filled(KeyStateSql.DECIDED, options);
  }

  private static String filled(String statement, PostgresOptions options) {
    return LogSql.filled(statement.replace("${dead}", DeadLetterSql.DEAD), options);
  }
}
