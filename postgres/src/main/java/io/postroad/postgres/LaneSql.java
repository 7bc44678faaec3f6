package io.postroad.postgres;

/** The statements of lanes and nodes: who owns what. */
final class LaneSql {
  // What follows must be there after a crash: with a take-over, the same epoch would be given
  // twice.
  static final String DURABLE =
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
      SET epoch = excluded.epoch, started = excluded.started
      """;

  private static final String LAST_POSITION =
      """
      SELECT epoch, head, CAST(snap AS text), CAST(CAST(next_xid AS text) AS bigint), window_after,
        CAST(window_snap AS text), CAST(CAST(window_next_xid AS text) AS bigint), floor, system_id,
        timeline
      FROM ${cursor}
      WHERE lane = ?
      ORDER BY epoch DESC, step DESC
      LIMIT 1
      """;

  // The timeline of the log that is written now; the control file's may still be the one before a
  // promotion.
  private static final String TIMELINE =
      "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer";

  private static final String SERVER =
      """
      SELECT system_identifier, ${timeline},
        CAST(pg_current_snapshot() AS text),
        ${drawn},
        COALESCE((
          SELECT pos
          FROM ${log}
          WHERE lane = ?
          ORDER BY pos DESC
          LIMIT 1), 0),
        (SELECT seqcache FROM pg_sequence WHERE seqrelid = '${sequence}'::regclass)
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

  // No epoch is 0, so nobody owns a lane any more.
  private static final String DISOWN_ALL =
      """
      UPDATE ${awake}
      SET epoch = 0
      """;

  private static final String RAISE_SEQUENCE =
      """
      SELECT setval('${sequence}', n.place)
      FROM (
        SELECT max(m.pos) AS place
        FROM ${lane} AS l
        CROSS JOIN LATERAL (
          SELECT pos
          FROM ${log}
          WHERE lane = l.lane
          ORDER BY pos DESC
          LIMIT 1) AS m) AS n
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

  private static final String ATTEND =
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

  private static final String SEATS =
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
  final String lanes;
  final String lock;
  final String wake;
  final String lastPosition;
  final String server;
  final String timeline;
  final String lockAll;
  final String disownAll;
  final String startAllOver;
  final String raiseSequence;
  final String own;
  final String renew;
  final String release;
  final String attend;
  final String nodes;
  final String seats;
  final String leave;

  LaneSql(PostgresOptions options) {
    String settings = LogSql.BY_INDEX_WITHOUT_WAITING;
    durable = LogSql.filled(LogSql.BY_INDEX + DURABLE, options);
    lanes = LogSql.filled(LANES, options);
    lock = LogSql.filled(LOCK, options);
    wake = LogSql.filled(WAKE, options);
    lastPosition = LogSql.filled(LAST_POSITION, options);
    server = LogSql.filled(SERVER, options);
    timeline = "SELECT " + TIMELINE;
    lockAll = LogSql.filled(LOCK_ALL, options);
    disownAll = LogSql.filled(DISOWN_ALL, options);
    startAllOver = LogSql.filled(LogSql.REWRITE_CURSORS, options);
    raiseSequence = LogSql.filled(LogSql.BY_INDEX + RAISE_SEQUENCE, options);
    own = LogSql.filled(OWN, options);
    renew = LogSql.filled(settings + RENEW, options);
    release = LogSql.filled(settings + RELEASE, options);
    attend = LogSql.filled(settings + ATTEND, options);
    nodes = LogSql.filled(NODES, options);
    seats = LogSql.filled(SEATS, options);
    leave = LogSql.filled(settings + LEAVE, options);
  }
}
