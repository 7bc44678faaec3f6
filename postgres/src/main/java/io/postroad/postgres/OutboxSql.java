package io.postroad.postgres;

import io.postroad.store.Backlog;

/**
 * The statements of an outbox, with its table names and clock put in once.
 *
 * <p>The store's own statements come after a line of settings, in the same round trip and the same
 * transaction, with which the settings end. The planner must not choose by statistics that were
 * taken while the queue was empty: after a burst it would read and sort the whole backlog for every
 * claim. So plans are kept on the indexes: without sorts and sequential scans, and ids are looked
 * up by {@code = ANY (ARRAY(SELECT ..))}, for which it always expects a handful of rows.
 */
final class OutboxSql {
  private static final String BY_INDEX =
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

  private static final String APPEND_ONE =
      """
      INSERT INTO ${queue} (
        outbox_id, category, type, aggregate_type, aggregate_id, message_key, destination, tenant,
        schema_version, headers, content_type, payload, payload_bytes, dedup_key, not_before,
        created_at, available_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ${now}, GREATEST(${now}, CAST(? AS timestamptz)))
      ON CONFLICT (outbox_id) DO NOTHING
      """;

  // Ids and times travel as text: the driver looks up the type of a uuid array in the catalog.
  private static final String APPEND_MANY =
      """
      INSERT INTO ${queue} (
        outbox_id, category, type, aggregate_type, aggregate_id, message_key, destination, tenant,
        schema_version, headers, content_type, payload, payload_bytes, dedup_key, not_before,
        created_at, available_at)
      SELECT m.*, ${now}, GREATEST(${now}, m.not_before)
      FROM unnest(
        CAST(CAST(? AS text[]) AS uuid[]), CAST(? AS text[]), CAST(? AS text[]),
        CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]),
        CAST(? AS text[]), CAST(? AS int[]), CAST(? AS text[]), CAST(? AS text[]),
        CAST(? AS text[]), CAST(? AS bytea[]), CAST(? AS text[]),
        CAST(CAST(? AS text[]) AS timestamptz[])) AS m(
        outbox_id, category, type, aggregate_type, aggregate_id, message_key, destination, tenant,
        schema_version, headers, content_type, payload, payload_bytes, dedup_key, not_before)
      ON CONFLICT (outbox_id) DO NOTHING
      RETURNING outbox_id
      """;

  private static final String FORGET_MESSAGES =
      """
      DELETE FROM ${queue}
      WHERE outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[]))
      """;

  // A key that is taken is locked even where the WHERE is false, so it cannot be purged before its
  // holder is read.
  private static final String TAKE_KEYS =
      """
      INSERT INTO ${dedup} AS d (dedup_key, outbox_id, expires_at)
      SELECT k.dedup_key, k.outbox_id, ${now} + w.micros * INTERVAL '1 microsecond'
      FROM unnest(CAST(? AS text[]), CAST(CAST(? AS text[]) AS uuid[])) AS k(dedup_key, outbox_id),
        (VALUES (CAST(? AS bigint))) AS w(micros)
      ON CONFLICT (dedup_key) DO UPDATE
      SET outbox_id = excluded.outbox_id, expires_at = excluded.expires_at
      WHERE d.expires_at <= ${now}
      RETURNING d.dedup_key
      """;

  private static final String KEY_HOLDERS =
      """
      SELECT dedup_key, outbox_id
      FROM ${dedup}
      WHERE dedup_key = ANY (CAST(? AS text[]))
      """;

  private static final String FORGET_KEYS =
      """
      DELETE FROM ${dedup}
      WHERE dedup_key = ANY (CAST(? AS text[]))
      """;

  // Commits synchronously, unlike settle: after a crash of the database an unflushed claim would be
  // gone, the next claimer would get the same token, and a settle of the first one would pass.
  private static final String CLAIM =
      """
      WITH due AS MATERIALIZED (
        SELECT outbox_id, lease_owner
        FROM ${queue}
        WHERE status = 'PENDING' AND available_at <= ${now}
        ORDER BY available_at
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
        available_at = ${now} + ? * INTERVAL '1 microsecond'
      FROM taken
      WHERE q.outbox_id = taken.outbox_id
        AND q.outbox_id = ANY (ARRAY(SELECT outbox_id FROM taken))
      RETURNING ${message},
        q.lease_token, q.attempt, taken.lease_owner, taken.position
      """;

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
          WHEN 'PENDING' THEN ${now} + s.delay * INTERVAL '1 microsecond'
          ELSE q.available_at END,
        settled_at = CASE s.status WHEN 'PENDING' THEN NULL ELSE ${now} END,
        lease_owner = NULL,
        last_error = COALESCE(s.error, q.last_error)
      FROM s
      WHERE q.outbox_id = s.outbox_id
        AND q.outbox_id = ANY (ARRAY(SELECT outbox_id FROM s))
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
        AND q.outbox_id = ANY (ARRAY(SELECT outbox_id FROM s))
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
          FROM ${queue}
          WHERE status = 'PENDING'
          ORDER BY available_at
          LIMIT ${limit}) AS pending),
        (SELECT count(*) FROM (
          SELECT 1
          FROM ${queue}
          WHERE status = 'FAILED'
          ORDER BY settled_at
          LIMIT ${limit}) AS dead),
        (SELECT CAST(extract(epoch FROM ${now} - available_at) * 1000000 AS bigint)
          FROM ${queue}
          WHERE status = 'PENDING' AND available_at <= ${now}
          ORDER BY available_at
          LIMIT 1)
      """;

  private static final String NOW = "SELECT ${now}";

  final String appendOne;
  final String appendMany;
  final String forgetMessages;
  final String takeKeys;
  final String keyHolders;
  final String forgetKeys;
  final String claim;
  final String settle;
  final String extend;
  final String purgeMessages;
  final String purgeKeys;
  final String find;
  final String backlog;
  final String now;

  private final PostgresOptions options;

  OutboxSql(PostgresOptions options) {
    this.options = options;
    appendOne = filled(APPEND_ONE);
    appendMany = filled(APPEND_MANY);
    forgetMessages = filled(FORGET_MESSAGES);
    takeKeys = filled(TAKE_KEYS);
    keyHolders = filled(KEY_HOLDERS);
    forgetKeys = filled(FORGET_KEYS);
    claim = filled(BY_INDEX + CLAIM);
    settle = filled(BY_INDEX_WITHOUT_WAITING + SETTLE);
    extend = filled(BY_INDEX + EXTEND);
    purgeMessages = filled(BY_INDEX + PURGE_MESSAGES);
    purgeKeys = filled(BY_INDEX + PURGE_KEYS);
    find = filled(BY_INDEX + FIND);
    backlog = filled(BY_INDEX + BACKLOG);
    now = filled(BY_INDEX + NOW);
  }

  private String filled(String statement) {
    return statement
        .replace("${message}", MessageColumns.READ)
        .replace("${queue}", options.qualified("outbox_queue"))
        .replace("${dedup}", options.qualified("outbox_dedup"))
        .replace("${limit}", Integer.toString(Backlog.COUNT_LIMIT))
        .replace("${now}", options.clock());
  }
}
