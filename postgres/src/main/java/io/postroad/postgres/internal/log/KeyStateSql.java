package io.postroad.postgres.internal.log;

/**
 * The statements that bring the rows of keys in line with their messages, once these have changed:
 * no row without messages, parked if and only if the first one is dead, set aside when the first
 * one was. The transaction that runs one has locked the lane.
 */
public final class KeyStateSql {
  // A person's decision and a settlement say when a key is due by changing its first message; one
  // that changed in this transaction has its number. Said without a delay, a key waits until its
  // destination is opened.
  private static final String KEYS =
      """
      WITH s AS MATERIALIZED (
        ${changed}
      ), keys AS MATERIALIZED (
        SELECT k.lane, k.destination, k.order_key, own.tid, first.pos,
          CASE first.status WHEN 'FAILED' THEN first.died_at END AS parked_at,
          CASE
            WHEN NOT moved.here THEN own.due_at
            WHEN said.aside THEN ${when_opened}
            ELSE ${now} + COALESCE(said.delay, 0) * INTERVAL '1 microsecond' END AS due_at,
          CASE
            WHEN NOT moved.here THEN own.aside_at
            WHEN said.aside THEN ${now} END AS aside_at
        FROM (
          SELECT lane, destination, order_key, array_agg(pos) AS places, array_agg(delay) AS delays
          FROM s
          GROUP BY lane, destination, order_key) AS k
        LEFT JOIN LATERAL (
          SELECT h.pos, h.status, COALESCE(h.settled_at, h.created_at) AS died_at,
            h.xmin = CAST(pg_current_xact_id() AS xid) AS changed
          FROM ${held} AS h
          WHERE h.lane = k.lane AND h.destination = k.destination AND h.order_key = k.order_key
          ORDER BY h.pos
          LIMIT 1) AS first ON true
        LEFT JOIN LATERAL (
          SELECT h.ctid AS tid, h.due_at, h.parked_at, h.aside_at
          FROM ${held_key} AS h
          WHERE h.lane = k.lane AND h.destination = k.destination AND h.order_key = k.order_key
          LIMIT 1) AS own ON true
        CROSS JOIN LATERAL (
          SELECT k.delays[n] AS delay, n IS NOT NULL AND k.delays[n] IS NULL AS aside
          FROM array_position(k.places, first.pos) AS n) AS said
        CROSS JOIN LATERAL (
          SELECT own.tid IS NULL OR own.parked_at IS NOT NULL OR first.status = 'FAILED'
            OR ${moves} AS here) AS moved
      ), freed AS (
        DELETE FROM ${held_key}
        WHERE ctid = ANY (ARRAY(SELECT tid FROM keys WHERE pos IS NULL))
      ), kept AS (
        UPDATE ${held_key} AS h
        SET due_at = k.due_at, parked_at = k.parked_at, aside_at = k.aside_at
        FROM keys AS k
        WHERE k.pos IS NOT NULL AND h.ctid = k.tid
          AND h.ctid = ANY (ARRAY(SELECT tid FROM keys WHERE pos IS NOT NULL))
          AND (h.due_at, h.parked_at, h.aside_at)
            IS DISTINCT FROM (k.due_at, k.parked_at, k.aside_at)
      ), added AS (
        INSERT INTO ${held_key} (lane, destination, order_key, due_at, parked_at, aside_at)
        SELECT k.lane, k.destination, k.order_key, k.due_at, k.parked_at, k.aside_at
        FROM keys AS k
        WHERE k.pos IS NOT NULL AND k.tid IS NULL
        ON CONFLICT (lane, destination, order_key) DO NOTHING
      )
      SELECT k.destination, k.order_key
      FROM keys AS k
      WHERE k.pos IS NULL
      """;

  private static final String BY_OWNER =
      """
      SELECT f.lane, h.*
      FROM (
        SELECT a.lane
        ${fence}) AS f
      CROSS JOIN unnest(
        CAST(? AS bigint[]), CAST(? AS text[]), CAST(? AS text[]), CAST(? AS bigint[]))
        AS h(pos, destination, order_key, delay)""";

  private static final String BY_PERSON =
      """
      SELECT h.*, CAST(NULL AS bigint) AS pos, 0 AS delay
      FROM unnest(CAST(? AS smallint[]), CAST(? AS text[]), CAST(? AS text[]))
        AS h(lane, destination, order_key)""";

  /** After messages have joined keys: they move no due time of a key that waits already. */
  static final String JOINED = keys(BY_OWNER, "false");

  /** After messages of keys were settled; returns the keys that have nothing held back any more. */
  static final String SETTLED = keys(BY_OWNER, "first.changed");

  /** After a person decided about messages of keys. */
  public static final String DECIDED = keys(BY_PERSON, "first.changed");

  private KeyStateSql() {}

  private static String keys(String changed, String moves) {
    return KEYS.replace("${changed}", changed).replace("${moves}", moves);
  }
}
