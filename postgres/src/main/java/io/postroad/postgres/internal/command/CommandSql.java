package io.postroad.postgres.internal.command;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.queue.OutboxSql;

/**
 * The statements of commands, with table name and clock put in once. Those that the store runs by
 * itself come after the line of settings of {@link OutboxSql#BY_INDEX}.
 */
public final class CommandSql {
  // A command that is handled elsewhere is never due.
  private static final String ACCEPT =
      """
      INSERT INTO ${command} AS c (command_id, type, idempotency_key, business_key, payload,
        fingerprint, headers, correlation_id, destination, reply_to, not_before, late_allowed,
        created_at, deadline, available_at${lease})
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ${now}, ${now} + CAST(? AS bigint) * INTERVAL '1 microsecond',
        CASE WHEN ? THEN GREATEST(${now}, CAST(? AS timestamptz)) END${leased})
      """;

  private static final String UNLESS_KNOWN =
      """
      ON CONFLICT (idempotency_key) DO NOTHING
      RETURNING c.created_at, COALESCE(c.lease_until, c.available_at), c.deadline, c.status,
        c.attempt, c.lease_token, c.lease_owner, c.leased_at
      """;

  /** What a first claim would write. */
  private static final String LEASE =
      ", status, attempt, lease_token, lease_owner, leased_at, lease_until";

  private static final String LEASED =
      ",\n  'PROCESSING', 1, 1, ?, ${now}, ${now} + ? * INTERVAL '1 microsecond'";

  // FINISH of a command that has no row. Fails when it has one. It is as old as its transaction,
  // which begins with the first statement of its handler.
  private static final String FINISH_HANDED_OFF =
      """
      INSERT INTO ${command} (command_id, type, idempotency_key, business_key, payload, fingerprint,
        headers, correlation_id, late_allowed, created_at, attempt, lease_token, finished_at,
        status, outcome_code, outcome_error, outcome_data)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, false,
        ${now} - (statement_timestamp() - transaction_timestamp()), 1, 1, ${now}, ?, ?, ?, ?)
      """;

  // Looks first, without locks, how many of the longest due are of which type, and then locks so
  // many of each: the limit for each would lock that many times as much. Each gets one at least, or
  // else a type would have to wait for as long as somebody changes older ones of another; what is
  // too much is let go with the end of the statement. Commits synchronously: a claim that a crash
  // of the database forgot would let its token be given out twice.
  private static final String CLAIM =
      """
      WITH share AS MATERIALIZED (
        SELECT type, count(*) FILTER (WHERE place <= ?) AS size
        FROM (
          SELECT t.type, row_number() OVER (ORDER BY d.available_at) AS place
          FROM unnest(CAST(? AS text[])) AS t(type)
          CROSS JOIN LATERAL (
            SELECT c.available_at
            FROM ${command} AS c
            WHERE c.type = t.type AND c.available_at <= ${now} AND ${free}
            ORDER BY c.available_at
            LIMIT ?) AS d) AS placed
        GROUP BY type
      ), due AS MATERIALIZED (
        SELECT d.command_id, d.available_at
        FROM share
        CROSS JOIN LATERAL (
          SELECT c.command_id, c.available_at
          FROM ${command} AS c
          WHERE c.type = share.type AND c.available_at <= ${now} AND ${free}
          ORDER BY c.available_at
          LIMIT GREATEST(share.size, 1)
          FOR NO KEY UPDATE SKIP LOCKED) AS d
      ), taken AS MATERIALIZED (
        SELECT command_id, row_number() OVER (ORDER BY available_at) AS position
        FROM due
        ORDER BY available_at
        LIMIT ?
      )
      UPDATE ${command} AS c
      SET status = 'PROCESSING',
        attempt = c.attempt + 1,
        lease_token = c.lease_token + 1,
        lease_owner = ?,
        leased_at = ${now},
        lease_until = ${now} + ? * INTERVAL '1 microsecond'
      FROM taken
      WHERE c.command_id = taken.command_id
        AND c.command_id = ANY (ARRAY(SELECT command_id FROM taken))
      RETURNING ${new},
        c.lease_token, c.attempt,
        CAST(extract(epoch FROM c.deadline - ${now}) * 1000000 AS bigint), taken.position
      """;

  // A lock keeps others away as an update would, and leaves no row version behind.
  private static final String OPEN =
      """
      SELECT COALESCE(c.deadline <= ${now}, false)
      FROM ${command} AS c
      WHERE ${holds}
      FOR NO KEY UPDATE
      """;

  private static final String FINISH =
      """
      UPDATE ${command} AS c
      SET ${ended}
      WHERE ${holds}
      """;

  // Fails when it changes nothing.
  private static final String FINISH_SURELY =
      """
      WITH finished AS (
        UPDATE ${command} AS c
        SET ${ended}
        WHERE ${holds}
        RETURNING 1)
      SELECT 1 / count(*) FROM finished
      """;

  private static final String RETRY =
      """
      UPDATE ${command} AS c
      SET status = 'PENDING',
        ${attempt}
        available_at = ${now} + ? * INTERVAL '1 microsecond',
        last_error = ?,
        lease_owner = NULL,
        leased_at = NULL,
        lease_until = NULL
      WHERE ${holds}
      """;

  private static final String UNCOUNTED = "attempt = GREATEST(c.attempt - 1, 0),";

  // Its due time is over and stays what it was, so that no index changes and it keeps its turn.
  private static final String RELEASE =
      """
      WITH s AS MATERIALIZED (
        SELECT *
        FROM unnest(CAST(CAST(? AS text[]) AS uuid[]), CAST(? AS bigint[]))
          AS s(command_id, lease_token)
      )
      UPDATE ${command} AS c
      SET status = 'PENDING',
        attempt = GREATEST(c.attempt - 1, 0),
        lease_owner = NULL,
        leased_at = NULL,
        lease_until = NULL
      FROM s
      WHERE c.command_id = s.command_id
        AND c.lease_token = s.lease_token
        AND c.status = 'PROCESSING'
      RETURNING c.command_id
      """;

  private static final String CANCEL =
      """
      UPDATE ${command} AS c
      SET ${ended}
      WHERE c.command_id = ? AND ${free}
      RETURNING ${stored}
      """;

  private static final String RECALL =
      """
      WITH free AS MATERIALIZED (
        SELECT c.command_id
        FROM ${command} AS c
        WHERE c.command_id = ? AND ${free}
        FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE ${command} AS c
      SET ${ended}
      WHERE c.command_id = ANY (ARRAY(SELECT command_id FROM free))
      RETURNING ${stored}
      """;

  private static final String REPLY =
      """
      UPDATE ${command} AS c
      SET ${ended}
      WHERE c.command_id = ? AND c.destination IS NOT NULL AND c.finished_at IS NULL
      RETURNING ${stored}
      """;

  private static final String REPLY_NOW =
      """
      WITH free AS MATERIALIZED (
        SELECT c.command_id
        FROM ${command} AS c
        WHERE c.command_id = ? AND c.destination IS NOT NULL AND c.finished_at IS NULL
        FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE ${command} AS c
      SET ${ended}
      WHERE c.command_id = ANY (ARRAY(SELECT command_id FROM free))
      RETURNING ${stored}
      """;

  private static final String ARRIVED =
      """
      UPDATE ${command} AS c
      SET available_at = GREATEST(${now}, c.not_before)
      WHERE c.command_id = ? AND c.destination IS NOT NULL AND c.finished_at IS NULL
        AND c.available_at IS NULL
      """;

  private static final String EXPIRE =
      """
      WITH late AS MATERIALIZED (
        SELECT c.command_id, c.late_allowed
        FROM ${command} AS c
        WHERE c.deadline <= ${now} AND c.finished_at IS NULL AND c.late_told_at IS NULL
          AND ${free}
          AND c.command_id <> ALL (CAST(CAST(? AS text[]) AS uuid[]))
        ORDER BY c.deadline
        LIMIT ?
        FOR NO KEY UPDATE SKIP LOCKED
      ), told AS (
        UPDATE ${command} AS c
        SET late_told_at = ${now}
        WHERE c.command_id = ANY (ARRAY(SELECT command_id FROM late WHERE late_allowed))
        RETURNING ${stored}
      ), gone AS (
        UPDATE ${command} AS c
        SET ${ended}
        WHERE c.command_id = ANY (ARRAY(SELECT command_id FROM late WHERE NOT late_allowed))
        RETURNING ${stored}
      )
      SELECT * FROM told
      UNION ALL
      SELECT * FROM gone
      """;

  private static final String FIND =
      """
      SELECT ${stored}
      FROM ${command} AS c
      WHERE c.command_id = ?
      """;

  private static final String FIND_BY_KEY =
      """
      SELECT ${stored}
      FROM ${command} AS c
      WHERE c.idempotency_key = ?
      """;

  private static final String FINISHED =
      """
      SELECT ${stored}
      FROM ${command} AS c
      WHERE c.command_id = ANY (CAST(CAST(? AS text[]) AS uuid[])) AND c.finished_at IS NOT NULL
      """;

  // What has ended is never updated, so a row stays in its place.
  private static final String PURGE =
      """
      DELETE FROM ${command}
      WHERE ctid = ANY (ARRAY(
        SELECT ctid
        FROM ${command}
        WHERE finished_at < ${now} - ? * INTERVAL '1 microsecond'
        ORDER BY finished_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED))
      """;

  /** Not taken, or by one whose lease is over; what has ended has no lease. */
  private static final String FREE = "(c.status = 'PENDING' OR c.lease_until <= ${now})";

  private static final String HOLDS =
      "c.command_id = ? AND c.lease_token = ? AND c.status = 'PROCESSING'";

  private static final String ENDED =
      """
      status = ?,
          outcome_code = ?,
          outcome_error = ?,
          outcome_data = ?,
          finished_at = ${now},
          available_at = NULL,
          lease_owner = NULL,
          leased_at = NULL,
          lease_until = NULL\
      """;

  final String accept;
  final String acceptTaken;
  final String acceptTakenSurely;
  final String writeHandedOff;
  final String finishHandedOff;
  final String known;
  public final String claim;
  final String bury;
  final String open;
  final String finish;
  final String finishSurely;
  final String retry;
  final String handOver;
  final String release;
  final String cancel;
  final String recall;
  final String reply;
  final String replyNow;
  final String arrived;
  final String expire;
  final String find;
  final String look;
  final String findByKey;
  final String finished;
  final String purge;
  final String now;

  public CommandSql(PostgresOptions options) {
    String taken = ACCEPT.replace("${lease}", LEASE).replace("${leased}", LEASED);
    accept =
        filled(ACCEPT.replace("${lease}", "").replace("${leased}", "") + UNLESS_KNOWN, options);
    acceptTaken = filled(taken + UNLESS_KNOWN, options);
    acceptTakenSurely = filled(taken, options);
    writeHandedOff = filled(OutboxSql.BY_INDEX + taken + "ON CONFLICT DO NOTHING", options);
    finishHandedOff = filled(FINISH_HANDED_OFF, options);
    known = filled(FIND_BY_KEY, options);
    claim = filled(OutboxSql.BY_INDEX + CLAIM, options);
    bury = filled(OutboxSql.BY_INDEX + FINISH, options);
    open = filled(OPEN, options);
    finish = filled(FINISH, options);
    finishSurely = filled(FINISH_SURELY, options);
    retry = filled(OutboxSql.BY_INDEX + RETRY.replace("${attempt}", ""), options);
    handOver = filled(OutboxSql.BY_INDEX + RETRY.replace("${attempt}", UNCOUNTED), options);
    release = filled(OutboxSql.BY_INDEX + RELEASE, options);
    cancel = filled(CANCEL, options);
    recall = filled(RECALL, options);
    reply = filled(REPLY, options);
    replyNow = filled(REPLY_NOW, options);
    arrived = filled(ARRIVED, options);
    expire = filled(EXPIRE, options);
    find = filled(OutboxSql.BY_INDEX + FIND, options);
    look = filled(FIND, options);
    findByKey = filled(OutboxSql.BY_INDEX + FIND_BY_KEY, options);
    finished = filled(OutboxSql.BY_INDEX + FINISHED, options);
    purge = filled(OutboxSql.BY_INDEX + PURGE, options);
    now = filled(OutboxSql.BY_INDEX + "SELECT ${now}", options);
  }

  private static String filled(String statement, PostgresOptions options) {
    return statement
        .replace("${new}", CommandColumns.NEW)
        .replace("${stored}", CommandColumns.STORED)
        .replace("${free}", FREE)
        .replace("${holds}", HOLDS)
        .replace("${ended}", ENDED)
        .replace("${command}", options.qualified("command"))
        .replace("${now}", options.clock());
  }
}
