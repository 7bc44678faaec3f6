package io.postroad.postgres.internal.log;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.append.MessageBinding;
import io.postroad.postgres.internal.append.MessageColumns;
import io.postroad.postgres.internal.queue.OutboxSql;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The statements of the log: append, read, advance. As in {@link OutboxSql}, each of the store's
 * own comes after a line of settings that keeps its plan on the indexes.
 *
 * <p>A lane's owner is fenced by its row in {@code outbox_awake}: see {@link #FENCE}.
 */
public final class LogSql {
  /** How many tables the log has. */
  public static final int TABLES = 3;

  /**
   * The lane is still owned under the epoch, and the server has forgotten nothing since. Statements
   * that write lock the row: a take-over, which changes it, waits for them, or they find it
   * changed. A row that was restored from a dump was not written by the transaction it names.
   */
  static final String FENCE =
      """
      FROM ${awake} AS a
      WHERE a.lane = ? AND a.epoch = ? AND a.started = pg_postmaster_start_time()
        AND a.xmin = CAST(a.taken AS xid)""";

  /** The order key of a row {@code q}, as {@link io.postroad.store.OrderKey} has it. */
  private static final String REAL_KEY =
      """
      COALESCE('key/' || q.message_key,
          CASE WHEN q.aggregate_type IS NOT NULL THEN 'key/' || q.aggregate_id END,
          'id/' || q.outbox_id)""";

  /** The order key of a row {@code q} that no other row shares. */
  private static final String OWN_KEY = "'id/' || q.outbox_id";

  private static final String NO_MESSAGE =
      String.join(", ", Collections.nCopies(MessageColumns.COUNT, "NULL"));

  private static final String APPEND_ONE =
      """
      INSERT INTO ${log_n} (${present}, created_at, lane)
      VALUES (${values}, ${now}, ?)
      """;

  private static final String MESSAGES =
      MessageBinding.bound(
          """
      SELECT m.*, ${now} AS created_at
      FROM unnest(${arrays}, CAST(? AS int[])) AS m(${bound}, lane)
      """);

  private static final String APPEND_MANY =
      """
      INSERT INTO ${log_n} (${columns}, lane)
      SELECT ${message}, q.lane
      FROM (${messages}) AS q
      """;

  // Messages of one call keep their order, so those that are due go into the log here too; none of
  // them when an id is refused.
  private static final String SCHEDULE =
      """
      WITH q AS MATERIALIZED (
        ${messages}
      ), scheduled AS (
        INSERT INTO ${scheduled} (${columns}, lane)
        SELECT ${message}, q.lane
        FROM q
        WHERE q.not_before > q.created_at
        ON CONFLICT (outbox_id) DO NOTHING
        RETURNING outbox_id
      ), due AS (
        INSERT INTO ${log_n} (${columns}, lane)
        SELECT ${message}, q.lane
        FROM q
        WHERE (q.not_before IS NULL OR q.not_before <= q.created_at)
          AND (SELECT count(*) FROM scheduled)
            = (SELECT count(*) FROM q WHERE q.not_before > q.created_at)
      )
      SELECT q.outbox_id, s.outbox_id IS NULL
      FROM q
      LEFT JOIN scheduled AS s ON s.outbox_id = q.outbox_id
      WHERE q.not_before > q.created_at
      """;

  private static final String UNSCHEDULE =
      """
      DELETE FROM ${scheduled}
      WHERE outbox_id = ANY (CAST(CAST(? AS text[]) AS uuid[]))
      """;

  private static final String LOCK_KEYS =
      """
      SELECT pg_advisory_xact_lock(k.lock)
      FROM (
        SELECT DISTINCT hashtextextended(name, 0) AS lock
        FROM unnest(CAST(? AS text[])) AS n(name)
        ORDER BY 1) AS k
      """;

  // Plans are made once: they are long to make, and what they look up is always by index. A sort or
  // scan that cannot be avoided counts as so dear that it would be compiled for each run.
  static final String SETTINGS =
      """
      set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true)"""
          .stripTrailing();

  public static final String BY_INDEX = "SELECT " + SETTINGS + ";\n";

  // Losing it in a crash of the database only repeats a delivery: it need not wait for the disk.
  static final String BY_INDEX_WITHOUT_WAITING =
      "SELECT " + SETTINGS + ", set_config('synchronous_commit', 'off', true);\n";

  /**
   * The place that was drawn last. Not {@code SELECT last_value FROM} the sequence: that reads the
   * row without its lock, and a session that is drawing a place has written one there that is 32
   * further, for as long as this takes to be logged. Behind a place that no session has drawn,
   * messages are lost.
   */
  static final String DRAWN = "COALESCE(pg_sequence_last_value('${sequence}'), 0)";

  // Also says which place was drawn last, before the read's snapshot.
  private static final String BEFORE_READ =
      """
      SELECT ${drawn}, set_config('enable_bitmapscan', 'off', true), \
      """
          + SETTINGS
          + ";\n";

  /**
   * A place that was given out twice: up to {@code head} there is a message whose transaction began
   * after {@code head} was read. Parameters are the first number that was unknown then, {@code
   * head}, and the place up to which numbers mean nothing. All that is above {@code head} is passed
   * over in the index by transaction; the order makes the planner use that index.
   */
  static final String GIVEN_TWICE =
      """
      (
          SELECT l.pos
          FROM ${log} AS l
          WHERE l.xid >= CAST(? AS xid8) AND l.pos <= ? AND l.pos > ?
          ORDER BY l.xid
          LIMIT 1)""";

  /**
   * With more places than this to read, a read does not look for places that were given out twice:
   * the sequence cannot have come from below {@code head} to there since the read before.
   */
  private static final int CHECKED = 10_000;

  // Late messages are looked up by their transaction. The conditions on place and lane are written
  // so
  // that the primary key cannot serve them: by it, all that was ever read would be read again.
  // The first row has no message; it says what the statement could see. age(xmax) counts from xmax
  // to the next xid that will be assigned, without assigning one; it must stay out of every WHERE,
  // or the planner evaluates it before the snapshot is taken.
  private static final String READ =
      """
      WITH late AS MATERIALIZED (
        SELECT m.pos
        FROM unnest(CAST(CAST(? AS text[]) AS xid8[])) AS x(xid)
        CROSS JOIN LATERAL (
          SELECT l.pos
          FROM ${log} AS l
          WHERE l.xid = x.xid AND (l.xid, l.pos) > (x.xid, ?) AND (l.xid, l.pos) <= (x.xid, ?)
            AND l.lane + 0 = ?
          ORDER BY l.pos
          LIMIT ?) AS m
        WHERE pg_visible_in_snapshot(
          x.xid, COALESCE(CAST(? AS pg_snapshot), pg_current_snapshot()))
        UNION ALL
        SELECT l.pos
        FROM ${log} AS l
        WHERE l.xid >= CAST(? AS xid8) AND l.xid < CAST(? AS xid8)
          AND l.pos + 0 > ? AND l.pos + 0 <= ? AND l.lane + 0 = ?
          AND pg_visible_in_snapshot(
            l.xid, COALESCE(CAST(? AS pg_snapshot), pg_current_snapshot()))
      ), first_late AS MATERIALIZED (
        SELECT pos
        FROM late
        ORDER BY pos
        LIMIT ?
      )
      SELECT ${nothing}, NULL AS pos,
        CAST(pg_current_snapshot() AS text) AS snapshot,
        age(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS xid)) AS unseen,
        CASE WHEN ${drawn} - ? <= ${checked} THEN ${given_twice} IS NOT NULL END AS given_twice,
        CAST(pg_current_wal_insert_lsn() AS text) AS written,
        pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn() AS flushed
      ${fence}
      UNION ALL
      SELECT ${message_read}, q.pos, NULL, NULL, NULL, NULL, NULL
      FROM ${log} AS q
      WHERE q.lane = ? AND q.pos = ANY (ARRAY(SELECT pos FROM first_late))
      UNION ALL
      (SELECT ${message_read}, q.pos, NULL, NULL, NULL, NULL, NULL
      FROM ${log} AS q
      WHERE q.lane = ? AND q.pos > ?
      ORDER BY q.pos
      LIMIT GREATEST(0, ? - (SELECT count(*) FROM first_late)))
      """;

  private static final String INTO_CURSOR =
      """
      INSERT INTO ${cursor} (lane, epoch, step, head, snap, next_xid, window_after, window_snap,
        window_next_xid, floor, system_id, timeline, copied_up_to, written_at)
      """;

  /** The parameters that {@link LogPosition#bind} binds. */
  static final String POSITION =
      """
      ?, CAST(? AS pg_snapshot), CAST(? AS xid8), CAST(? AS bigint), CAST(? AS pg_snapshot),
        CAST(? AS xid8), ?, ?, ?, ?, ${now}
      """;

  private static final String WRITE_CURSOR =
      INTO_CURSOR
          + """
      SELECT f.lane, f.epoch,
        1 + COALESCE((
          SELECT c.step
          FROM ${cursor} AS c
          WHERE c.lane = f.lane AND c.epoch = f.epoch
          ORDER BY c.step DESC
          LIMIT 1), 0),
      """
          + POSITION
          + "FROM fence AS f\n";

  static final String REWRITE_CURSORS =
      INTO_CURSOR
          + "SELECT l.lane, COALESCE(c.epoch, l.epoch), COALESCE(c.step, 0) + 1,\n"
          + POSITION
          + """
      FROM ${lane} AS l
      LEFT JOIN LATERAL (
        SELECT epoch, step
        FROM ${cursor}
        WHERE lane = l.lane
        ORDER BY epoch DESC, step DESC
        LIMIT 1) AS c ON true
      """;

  static final String ADVANCE =
      """
      WITH fence AS MATERIALIZED (
        SELECT a.lane, a.epoch
        ${fence}
        FOR SHARE
      )
      """
          + WRITE_CURSOR;

  // The fence comes before the rows: a node that waits for it must not keep them from the next
  // owner,
  // which would skip them and admit later ones first.
  private static final String ADMIT =
      """
      WITH mine AS MATERIALIZED (
        SELECT a.lane
        ${fence}
      ), any_due AS MATERIALIZED (
        SELECT 1
        FROM ${scheduled} AS s
        WHERE s.lane = ? AND s.not_before <= ${now} AND EXISTS (SELECT 1 FROM mine)
        LIMIT 1
      ), fence AS MATERIALIZED (
        SELECT 1
        ${fence} AND EXISTS (SELECT 1 FROM any_due)
        FOR SHARE
      ), due AS MATERIALIZED (
        SELECT s.outbox_id
        FROM ${scheduled} AS s
        WHERE s.lane = ? AND s.not_before <= ${now} AND EXISTS (SELECT 1 FROM fence)
        ORDER BY s.not_before, s.pos
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ), moved AS (
        DELETE FROM ${scheduled}
        WHERE outbox_id = ANY (ARRAY(SELECT outbox_id FROM due))
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

  /** {@link LogRow} adds the columns. */
  final List<String> appendOne;

  final List<String> appendMany;
  final List<String> schedule;
  final String unschedule;
  public final String lockKeys;
  final String read;
  final String advance;
  final List<String> admit;

  public LogSql(PostgresOptions options) {
    appendOne = perTable(APPEND_ONE, options);
    appendMany = perTable(APPEND_MANY.replace("${messages}", MESSAGES), options);
    schedule = perTable(SCHEDULE.replace("${messages}", MESSAGES), options);
    unschedule = filled(UNSCHEDULE, options);
    lockKeys = filled(LOCK_KEYS, options);
    read = filled(BEFORE_READ + READ, options);
    advance = filled(BY_INDEX_WITHOUT_WAITING + ADVANCE, options);
    admit = perTable(BlockedMessageSql.LOOKUPS_WITHOUT_WAITING + ADMIT, options);
  }

  /** The statement for each table of the log. */
  public static List<String> perTable(String statement, PostgresOptions options) {
    IntFunction<String> ofTable =
        table -> filled(statement.replace("${log_n}", "${log_" + table + "}"), options);
    return IntStream.range(0, TABLES).mapToObj(ofTable).toList();
  }

  public static String filled(String statement, PostgresOptions options) {
    String filled =
        statement
            .replace("${fence}", FENCE)
            .replace("${nothing}", NO_MESSAGE)
            .replace("${given_twice}", GIVEN_TWICE)
            .replace("${checked}", Integer.toString(CHECKED))
            .replace("${drawn}", DRAWN)
            .replace("${real_key}", REAL_KEY)
            .replace("${own_key}", OWN_KEY);
    for (int table = 0; table < TABLES; table++) {
      filled = filled.replace("${log_" + table + "}", options.qualified("outbox_log_" + table));
    }
    return OutboxSql.filled(filled, options)
        .replace("${columns}", MessageColumns.WRITE)
        .replace("${message_read}", MessageColumns.READ_QUICKLY)
        .replace("${log}", options.qualified("outbox_log"))
        .replace("${sequence}", options.qualified("outbox_log_pos"))
        .replace("${awake}", options.qualified("outbox_awake"))
        .replace("${cursor}", options.qualified("outbox_cursor"))
        .replace("${lane}", options.qualified("outbox_lane"))
        .replace("${node}", options.qualified("outbox_node"))
        .replace("${position}", options.qualified("outbox_position"))
        .replace("${held}", options.qualified("outbox_held"))
        .replace("${held_key}", options.qualified("outbox_held_key"))
        .replace("${scheduled}", options.qualified("outbox_scheduled"));
  }
}
