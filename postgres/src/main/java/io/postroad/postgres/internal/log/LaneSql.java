package io.postroad.postgres.internal.log;

import io.postroad.postgres.PostgresOptions;

/** The statements of lanes and nodes. */
public final class LaneSql {
  // The statements that follow must survive a crash: with a take-over, the same epoch would be
  // given
  // twice.
  public static final String DURABLE =
      """
      SELECT set_config('synchronous_commit',
        CASE current_setting('synchronous_commit')
          WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, true)
      """;

  private static final String LANES = "SELECT count(*) FROM ${lane}";

  private static final String LOCK =
      """
      SELECT node, epoch, unclean, COALESCE(lease_until > ${now}, false)
      FROM ${lane}
      WHERE lane = ?
      FOR UPDATE
      """;

  private static final String WAKE =
      """
      INSERT INTO ${awake} AS a (lane, epoch, started)
      VALUES (?, ?, pg_postmaster_start_time())
      ON CONFLICT (lane) DO UPDATE
      SET epoch = excluded.epoch, started = excluded.started, taken = excluded.taken
      """;

  private static final String LAST_POSITION =
      """
      SELECT epoch, head, CAST(snap AS text), CAST(CAST(next_xid AS text) AS bigint), window_after,
        CAST(window_snap AS text), CAST(CAST(window_next_xid AS text) AS bigint), floor, system_id,
        timeline, copied_up_to
      FROM ${cursor}
      WHERE lane = ?
      ORDER BY epoch DESC, step DESC
      LIMIT 1
      """;

  // The timeline of the log that is written now; the control file's may still be the one before a
  // promotion.
  private static final String TIMELINE =
      "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer";

  // The rows that a statement sees were written by transactions below the xmax of its snapshot,
  // unless it was
  // copied from another server.
  private static final String SERVER =
      """
      SELECT system_identifier, ${timeline},
        CAST(pg_current_snapshot() AS text),
        age(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS xid)),
        ${drawn},
        COALESCE((
          SELECT pos
          FROM ${log}
          WHERE lane = ?
          ORDER BY pos DESC
          LIMIT 1), 0),
        (SELECT seqcache FROM pg_sequence WHERE seqrelid = '${sequence}'::regclass),
        CASE WHEN ? THEN ${given_twice} END,
        (SELECT l.pos
          FROM ${log} AS l
          WHERE l.xid >= pg_snapshot_xmax(pg_current_snapshot()) AND l.pos > ?
          ORDER BY l.xid
          LIMIT 1) IS NOT NULL
      FROM pg_control_system()
      """
          .replace("${timeline}", TIMELINE);

  private static final String LOCK_ALL =
      """
      SELECT lane
      FROM ${lane}
      ORDER BY lane
      FOR UPDATE
      """;

  // No epoch is 0, so no lane has an owner any more.
  private static final String DISOWN_ALL =
      """
      UPDATE ${awake}
      SET epoch = 0
      """;

  // Waits for every transaction that has appended, and keeps others from it: what is there then is
  // all that will ever be up to the place that was drawn last.
  private static final String LOCK_WRITERS =
      "LOCK TABLE ${log_0}, ${log_1}, ${log_2} IN SHARE MODE";

  // Above all that is stored.
  private static final String LAST_PLACE =
      """
      SELECT ${drawn}, GREATEST(${drawn},
        (SELECT max(pos) FROM ${log}),
        (SELECT max(pos) FROM ${held}),
        (SELECT max(pos) FROM ${scheduled}),
        (SELECT max(GREATEST(head, copied_up_to)) FROM ${cursor}))
      """;

  // Messages whose place was given out before: it is that of another message that is held back, or
  // in the log, or it was read before their transaction began. They are newer than all others, so
  // their new places come after. Parameters are the last place of all, and the one that was drawn
  // last.
  private static final String MOVE =
      """
      WITH again AS MATERIALIZED (
        SELECT t.*, ? + row_number() OVER (ORDER BY t.pos, t.xid) AS place
        FROM (
          SELECT l.lane, l.pos, l.xid, l.outbox_id
          FROM ${position} AS p
          JOIN ${log} AS l ON l.lane = p.lane AND l.pos <= p.head AND l.xid >= p.next_xid
          WHERE l.pos > p.copied_up_to
          UNION
          SELECT l.lane, l.pos, l.xid, l.outbox_id
          FROM ${held} AS h
          JOIN ${log} AS l ON l.lane = h.lane AND l.pos = h.pos AND l.outbox_id <> h.outbox_id
          UNION
          SELECT l.lane, l.pos, l.xid, l.outbox_id
          FROM ${log} AS o
          JOIN ${log} AS l ON l.lane = o.lane AND l.pos = o.pos AND l.xid > o.xid) AS t
        WHERE t.pos <= ?
      ), moved_0 AS (
        UPDATE ${log_0} AS l
        SET pos = a.place, xid = pg_current_xact_id()
        FROM again AS a
        WHERE l.lane = a.lane AND l.pos = a.pos AND l.outbox_id = a.outbox_id
      ), moved_1 AS (
        UPDATE ${log_1} AS l
        SET pos = a.place, xid = pg_current_xact_id()
        FROM again AS a
        WHERE l.lane = a.lane AND l.pos = a.pos AND l.outbox_id = a.outbox_id
      ), moved_2 AS (
        UPDATE ${log_2} AS l
        SET pos = a.place, xid = pg_current_xact_id()
        FROM again AS a
        WHERE l.lane = a.lane AND l.pos = a.pos AND l.outbox_id = a.outbox_id
      )
      SELECT count(*)
      FROM again
      """;

  private static final String RAISE_SEQUENCE =
      """
      SELECT setval('${sequence}', n.place)
      FROM (
        SELECT max(copied_up_to) AS place
        FROM ${position}) AS n
      WHERE ${drawn} < n.place
      """;

  private static final String OWN =
      """
      UPDATE ${lane}
      SET node = ?, epoch = ?, unclean = ?, lease_until = ${now} + ? * INTERVAL '1 microsecond'
      WHERE lane = ?
      """;

  private static final String RENEW =
      """
      UPDATE ${lane} AS l
      SET lease_until = ${now} + ? * INTERVAL '1 microsecond'
      WHERE l.lane = ? AND l.epoch = ? AND l.node IS NOT NULL AND EXISTS (
        SELECT 1
        ${fence})
      """;

  private static final String RELEASE =
      """
      UPDATE ${lane}
      SET node = NULL, lease_until = NULL, unclean = 0
      WHERE lane = ? AND epoch = ?
      """;

  private static final String HEARTBEAT =
      """
      INSERT INTO ${node} AS n (node, seen_until)
      VALUES (?, ${now} + ? * INTERVAL '1 microsecond')
      ON CONFLICT (node) DO UPDATE
      SET seen_until = excluded.seen_until
      """;

  private static final String NODES =
      """
      SELECT node
      FROM ${node}
      WHERE seen_until > ${now}
      ORDER BY node
      """;

  private static final String OWNERS =
      """
      SELECT lane, CASE WHEN lease_until > ${now} THEN node END
      FROM ${lane}
      ORDER BY lane
      """;

  private static final String LEAVE =
      """
      DELETE FROM ${node}
      WHERE node = ?
      """;

  final String durable;
  final String durableOnly;
  final String lanes;
  final String lock;
  final String wake;
  final String lastPosition;
  final String server;
  final String timeline;
  final String lockAll;
  final String disownAll;
  final String startAllOver;
  final String lockWriters;
  final String lastPlace;
  final String move;
  final String raiseSequence;
  final String own;
  final String renew;
  final String release;
  final String heartbeat;
  final String nodes;
  final String owners;
  final String leave;

  public LaneSql(PostgresOptions options) {
    String settings = LogSql.BY_INDEX_WITHOUT_WAITING;
    durable = LogSql.filled(LogSql.BY_INDEX + DURABLE, options);
    durableOnly = DURABLE;
    lanes = LogSql.filled(LANES, options);
    lock = LogSql.filled(LOCK, options);
    wake = LogSql.filled(WAKE, options);
    lastPosition = LogSql.filled(LAST_POSITION, options);
    server = LogSql.filled(SERVER, options);
    timeline = "SELECT " + TIMELINE;
    lockAll = LogSql.filled(LOCK_ALL, options);
    disownAll = LogSql.filled(DISOWN_ALL, options);
    startAllOver = LogSql.filled(LogSql.REWRITE_CURSORS, options);
    lockWriters = LogSql.filled(LOCK_WRITERS, options);
    lastPlace = LogSql.filled(LAST_PLACE, options);
    move = LogSql.filled(MOVE, options);
    raiseSequence = LogSql.filled(LogSql.BY_INDEX + RAISE_SEQUENCE, options);
    own = LogSql.filled(OWN, options);
    renew = LogSql.filled(settings + RENEW, options);
    release = LogSql.filled(settings + RELEASE, options);
    heartbeat = LogSql.filled(settings + HEARTBEAT, options);
    nodes = LogSql.filled(NODES, options);
    owners = LogSql.filled(OWNERS, options);
    leave = LogSql.filled(settings + LEAVE, options);
  }
}
