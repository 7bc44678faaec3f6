package io.postroad.postgres.internal.queue;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.adopt.AdoptedSql;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;

/**
 * The store's own statements, with table names and clock put in once.
 *
 * <p>Each comes after a line of settings, in the same round trip and the same transaction, with
 * which the settings end. The planner must not choose by statistics that were taken while the queue
 * was empty: after a burst it would read and sort the whole backlog for every claim. So plans are
 * kept on the indexes, without sorts and sequential scans. Where ids come out of a LIMIT that it
 * cannot see, {@code = ANY (ARRAY(SELECT ..))} makes it expect a handful of them.
 */
public final class OutboxSql {
  public static final String BY_INDEX =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true);
      """;

  // Losing a settle in a crash of the database only repeats a delivery: it need not wait for the
  // disk.
  private static final String BY_INDEX_WITHOUT_WAITING =
      """
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
        set_config('synchronous_commit', 'off', true);
      """;

  // Commits synchronously, unlike settle: after a crash of the database an unflushed claim would be
  // gone, the next claimer would get the same token, and a settle of the first one would pass.
  private static final String CLAIM =
      """
      WITH due AS MATERIALIZED (
        SELECT outbox_id, lease_owner
        FROM ${queue}
        WHERE status = 'PENDING' AND ${due}
        ORDER BY ${by_due}
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ), taken AS MATERIALIZED (
        SELECT outbox_id, lease_owner, row_number() OVER () AS position
        FROM due
      )
      UPDATE ${queue} AS q
      SET attempt = q.attempt + 1,
        lease_token = q.lease_token + 1,
        lease_owner = ?,
        available_at = ${now} + ? * INTERVAL '1 microsecond',
        aside_at = NULL
      FROM taken
      WHERE q.outbox_id = taken.outbox_id
        AND q.outbox_id = ANY (ARRAY(SELECT outbox_id FROM taken))
      RETURNING ${message},
        q.lease_token, q.attempt, taken.lease_owner, taken.position
      """;

  private static final String DUE = "${o}available_at <= ${now}";
  private static final String BY_DUE = "${o}available_at";

  // As a range of pairs and not as an equality: by that, the planner would take the index of all
  // that is due for as good, and read what is due elsewhere.
  private static final String DUE_OF_STREAM =
      """
      (${o}destination COLLATE "C", ${o}available_at) >= (?, TIMESTAMPTZ '-infinity')
          AND (${o}destination COLLATE "C", ${o}available_at) <= (?, ${now})""";

  private static final String BY_DUE_OF_STREAM = "${o}destination COLLATE \"C\", ${o}available_at";

  // Without a delay it waits until its destination is opened.
  private static final String SETTLE =
      """
      WITH s AS MATERIALIZED (
        SELECT *
        FROM unnest(
          CAST(CAST(? AS text[]) AS uuid[]), CAST(? AS bigint[]), CAST(? AS text[]),
          CAST(? AS bigint[]), CAST(? AS int[]), CAST(? AS text[]))
          AS s(outbox_id, lease_token, status, delay, uncounted, error)
      )
      UPDATE ${queue} AS q
      SET status = s.status,
        attempt = GREATEST(q.attempt - s.uncounted, 0),
        available_at = CASE s.status
          WHEN 'PENDING'
          THEN COALESCE(${now} + s.delay * INTERVAL '1 microsecond', ${when_opened})
          ELSE q.available_at END,
        aside_at = CASE WHEN s.delay IS NULL THEN ${now} END,
        settled_at = CASE s.status WHEN 'PENDING' THEN NULL ELSE ${now} END,
        lease_owner = NULL,
        last_error = COALESCE(s.error, q.last_error)
      FROM s
      WHERE q.outbox_id = s.outbox_id
        AND q.lease_token = s.lease_token
        AND q.lease_owner IS NOT NULL
      RETURNING q.outbox_id, q.lease_token
      """;

  private static final String EXTEND =
      """
      WITH s AS MATERIALIZED (
        SELECT *
        FROM unnest(CAST(CAST(? AS text[]) AS uuid[]), CAST(? AS bigint[]))
          AS s(outbox_id, lease_token)
      )
      UPDATE ${queue} AS q
      SET available_at = ${now} + ? * INTERVAL '1 microsecond'
      FROM s
      WHERE q.outbox_id = s.outbox_id
        AND q.lease_token = s.lease_token
        AND q.lease_owner IS NOT NULL
      RETURNING q.outbox_id
      """;

  private static final String PURGE_MESSAGES =
      """
      WITH old AS MATERIALIZED (
        SELECT outbox_id
        FROM ${queue}
        WHERE status = 'DISPATCHED' AND settled_at <= ${now} - ? * INTERVAL '1 microsecond'
        ORDER BY settled_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${queue}
      WHERE outbox_id = ANY (ARRAY(SELECT outbox_id FROM old))
      """;

  private static final String PURGE_KEYS =
      """
      WITH old AS MATERIALIZED (
        SELECT dedup_key
        FROM ${dedup}
        WHERE expires_at <= ${now}
        ORDER BY expires_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${dedup}
      WHERE dedup_key = ANY (ARRAY(SELECT dedup_key FROM old))
      """;

  private static final String BURY =
      """
      UPDATE ${queue}
      SET status = 'FAILED', settled_at = ${now}, lease_owner = NULL, last_error = ?
      WHERE outbox_id = ? AND lease_token = ? AND lease_owner IS NOT NULL
      """;

  private static final String FIND =
      """
      SELECT ${message},
        q.status, q.attempt, q.available_at, q.lease_owner, q.last_error, q.available_at > ${now}
      FROM ${queue} AS q
      WHERE q.outbox_id = ?
      """;

  private static final String BACKLOG =
      """
      SELECT
        (SELECT count(*) FROM (
          SELECT 1
          FROM ${queue} AS q
          WHERE status = 'PENDING'
          ORDER BY available_at
          LIMIT ${limit}) AS pending),
        (SELECT count(*) FROM (
          SELECT 1
          FROM ${queue} AS q
          WHERE status = 'FAILED'
          ORDER BY COALESCE(settled_at, created_at), outbox_id
          LIMIT ${limit}) AS dead),
        (SELECT CAST(extract(epoch FROM ${now} - available_at) * 1000000 AS bigint)
          FROM ${queue} AS q
          WHERE status = 'PENDING' AND available_at <= ${now}
          ORDER BY available_at
          LIMIT 1)
      """;

  private static final String NOW = "SELECT ${now}";

  public final String claim;

  /** The same for one destination, which is bound twice before the others. */
  public final String claimOfStream;

  public final String settle;

  /** The same without settings, for a transaction of the caller. */
  public final String settleOne;

  final String extend;

  /** In a transaction of the caller, whose settings are not ours. */
  final String extendOne;

  public final String purgeMessages;
  public final String purgeKeys;
  final String bury;
  public final String find;
  public final String backlog;
  public final String now;

  public OutboxSql(PostgresOptions options) {
    claim = filled(BY_INDEX + ofAny(CLAIM, ""), options);
    claimOfStream = filled(BY_INDEX + ofStream(CLAIM, ""), options);
    settle = filled(BY_INDEX_WITHOUT_WAITING + SETTLE, options);
    settleOne = filled(SETTLE, options);
    extend = filled(BY_INDEX + EXTEND, options);
    extendOne = filled(EXTEND, options);
    purgeMessages = filled(BY_INDEX + PURGE_MESSAGES, options);
    purgeKeys = filled(BY_INDEX + PURGE_KEYS, options);
    bury = filled(BY_INDEX + BURY, options);
    find = filled(BY_INDEX + FIND, options);
    backlog = filled(BY_INDEX + BACKLOG, options);
    now = filled(BY_INDEX + NOW, options);
  }

  /** Over a table of a team. */
  public OutboxSql(AdoptedSql adopted, PostgresOptions options) {
    claim = BY_INDEX + adopted.claim();
    claimOfStream = BY_INDEX + adopted.claimOfStream();
    settle = BY_INDEX_WITHOUT_WAITING + adopted.settle();
    settleOne = adopted.settle();
    extend = BY_INDEX + adopted.extend();
    extendOne = adopted.extend();
    purgeMessages = BY_INDEX + adopted.purge();
    purgeKeys = filled(BY_INDEX + PURGE_KEYS, options);
    bury = BY_INDEX + adopted.bury();
    find = filled(BY_INDEX + FIND.replace("${queue}", adopted.rows()), options);
    backlog = filled(BY_INDEX + BACKLOG.replace("${queue}", adopted.rows()), options);
    now = filled(BY_INDEX + NOW, options);
  }

  /**
   * A statement over what is due.
   *
   * @param row what the names of columns begin with
   */
  public static String ofAny(String statement, String row) {
    return due(statement, DUE, BY_DUE, row);
  }

  /** The same over what is due for one destination. */
  public static String ofStream(String statement, String row) {
    return due(statement, DUE_OF_STREAM, BY_DUE_OF_STREAM, row);
  }

  private static String due(String statement, String due, String byDue, String row) {
    return statement.replace("${due}", due).replace("${by_due}", byDue).replace("${o}", row);
  }

  public static String filled(String statement, PostgresOptions options) {
    return statement
        .replace("${message}", MessageColumns.READ)
        .replace("${queue}", options.qualified("outbox_queue"))
        .replace("${dedup}", options.qualified("outbox_dedup"))
        .replace("${audit}", options.qualified("outbox_audit"))
        .replace("${pause}", options.qualified("outbox_pause"))
        .replace("${when_opened}", "TIMESTAMPTZ '" + BlockedDestination.DUE_AT + "'")
        .replace("${limit}", Integer.toString(Backlog.COUNT_LIMIT))
        .replace("${now}", options.clock());
  }
}
