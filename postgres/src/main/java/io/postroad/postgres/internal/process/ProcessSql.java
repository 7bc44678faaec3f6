package io.postroad.postgres.internal.process;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.spi.process.ProcessFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The statements of processes, with table names and clock. Statements outside of a transaction of
 * the caller begin with the settings of {@link OutboxSql#BY_INDEX}.
 */
public final class ProcessSql {
  // Waits for an open transaction that has started a process with the same business key.
  private static final String START =
      """
      INSERT INTO ${process} (process_id, process_type, business_key, is_unique, definition,
        created_at, status, is_active, current_step, data, retries, paused, failure_kind,
        failure, marking, due_at, ended_at, last_seq, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (process_type, business_key) WHERE is_unique AND is_active DO NOTHING\
      """;

  // Inserts the entries only if the process was written.
  private static final String WITH_LOG =
      """
      WITH written AS (
        ${written}
        RETURNING process_id
      )
      INSERT INTO ${log} (log_id, process_id, seq, event_type, step_name, event_data, created_at)
      SELECT e.log_id, written.process_id, e.seq, e.event_type, e.step_name, e.event_data,
        e.created_at
      FROM written
      CROSS JOIN (VALUES ${entries})
        AS e(log_id, seq, event_type, step_name, event_data, created_at)
      """;

  // Without the process, an entry has no process id and its insert fails.
  private static final String SURELY_WITH_LOG =
      """
      WITH written AS (
        ${written}
        RETURNING process_id
      )
      INSERT INTO ${log} (log_id, process_id, seq, event_type, step_name, event_data, created_at)
      VALUES ${entries}
      """;

  private static final String SURE_ENTRY = "(?, (SELECT process_id FROM written), ?, ?, ?, ?, ?)";

  private static final String ENTRY =
      "(CAST(? AS uuid), CAST(? AS bigint), CAST(? AS text), CAST(? AS text), CAST(? AS text),"
          + " CAST(? AS timestamptz))";

  private static final String ACTIVE =
      """
      SELECT p.process_id
      FROM ${process} AS p
      WHERE p.process_type = ? AND p.business_key = ? AND p.is_unique AND p.is_active
      """;

  // Reads the time outside of the locking query: after the wait, not before it.
  private static final String LOCK =
      """
      SELECT ${stored}, ${later}
      FROM (
        SELECT *
        FROM ${process}
        WHERE process_id = ?
        FOR NO KEY UPDATE) AS p
      """;

  private static final String LOCK_NOW =
      """
      SELECT ${stored}, ${later}
      FROM (
        SELECT *
        FROM ${process}
        WHERE process_id = ?
        FOR NO KEY UPDATE NOWAIT) AS p
      """;

  private static final String LOCK_DUE =
      """
      SELECT ${stored}, ${later}
      FROM (
        SELECT *
        FROM ${process}
        WHERE due_at <= ${now}
        ORDER BY due_at
        LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED) AS p
      """;

  private static final String SAVE =
      """
      UPDATE ${process}
      SET status = ?,
        is_active = ?,
        current_step = ?,
        data = ?,
        retries = ?,
        paused = ?,
        failure_kind = ?,
        failure = ?,
        marking = ?,
        due_at = ?,
        ended_at = ?,
        last_seq = ?,
        updated_at = ?
      WHERE process_id = ?\
      """;

  private static final String SAVE_KNOWN = SAVE + " AND last_seq = ?";

  // For a running process that waits for its step: constants in the text need no parameters.
  private static final String SAVE_RUNNING =
      """
      UPDATE ${process}
      SET status = 'RUNNING',
        is_active = true,
        current_step = ?,
        data = ?,
        retries = 0,
        paused = false,
        failure_kind = NULL,
        failure = NULL,
        marking = ?,
        due_at = ?,
        ended_at = NULL,
        last_seq = ?,
        updated_at = ?
      WHERE process_id = ? AND last_seq = ?\
      """;

  private static final String ADD =
      """
      INSERT INTO ${log} (log_id, process_id, seq, event_type, step_name, event_data, created_at)
      VALUES ${entries}
      """;

  private static final String POSTPONE =
      """
      UPDATE ${process}
      SET due_at = ${now} + ? * INTERVAL '1 microsecond'
      WHERE process_id = (
        SELECT process_id
        FROM ${process}
        WHERE process_id = ? AND due_at <= ${now}
        FOR NO KEY UPDATE SKIP LOCKED)
      """;

  private static final String FIND =
      """
      SELECT ${stored}
      FROM ${process} AS p
      WHERE p.process_id = ?
      """;

  private static final String LIST =
      """
      SELECT ${stored}
      FROM ${process} AS p
      WHERE ${wanted}
      ORDER BY p.process_id
      LIMIT ?
      """;

  // Reads each status from its own part of the index.
  private static final String LIST_BY_STATUS =
      """
      SELECT ${stored}
      FROM unnest(CAST(? AS text[])) AS s(status)
      CROSS JOIN LATERAL (
        SELECT *
        FROM ${process} AS p
        WHERE p.status = s.status AND ${wanted}
        ORDER BY p.process_id
        LIMIT ?) AS p
      ORDER BY p.process_id
      LIMIT ?
      """;

  private static final String COUNTS =
      """
      SELECT status, count(*)
      FROM ${process}
      GROUP BY status
      """;

  private static final String LIVE =
      """
      SELECT definition, count(*)
      FROM ${process}
      WHERE process_type = ? AND is_active
      GROUP BY definition
      """;

  private static final String LOG =
      """
      SELECT log_id, process_id, seq, event_type, step_name, event_data, created_at
      FROM ${log}
      WHERE process_id = ? AND seq > ?
      ORDER BY seq
      LIMIT ?
      """;

  private static final String KEEP =
      """
      INSERT INTO ${definition} AS d (process_type, definition, graph, kept_at, kept_since)
      SELECT ?, ?, ?, now.at, now.at
      FROM (SELECT ${now} AS at) AS now
      ON CONFLICT (process_type, definition) DO UPDATE
      SET kept_at = GREATEST(d.kept_at, EXCLUDED.kept_at)
      WHERE d.graph = EXCLUDED.graph
      """;

  private static final String DEFINITION =
      """
      SELECT graph, kept_since
      FROM ${definition}
      WHERE process_type = ? AND definition = ?
      """;

  private static final String PURGE =
      """
      WITH old AS MATERIALIZED (
        SELECT process_id
        FROM ${process}
        WHERE ended_at < ${now} - ? * INTERVAL '1 microsecond'
        ORDER BY ended_at
        LIMIT ?
        FOR UPDATE SKIP LOCKED
      ), forgotten AS (
        DELETE FROM ${log}
        WHERE process_id = ANY (ARRAY(SELECT process_id FROM old))
      )
      DELETE FROM ${process}
      WHERE process_id = ANY (ARRAY(SELECT process_id FROM old))
      """;

  // OFFSET 0 makes it one lookup for each of the few definitions.
  private static final String PURGE_DEFINITIONS =
      """
      DELETE FROM ${definition} AS d
      WHERE d.kept_at < ${now} - ? * INTERVAL '1 microsecond'
        AND d.kept_at < (
          SELECT max(newest.kept_at)
          FROM ${definition} AS newest
          WHERE newest.process_type = d.process_type)
        AND NOT EXISTS (
          SELECT 1
          FROM ${process} AS p
          WHERE p.process_type = d.process_type
            AND p.is_active IN (true, false)
            AND p.definition = d.definition
          OFFSET 0)
      """;

  /**
   * Most entries of a statement: it has a text for each number, and the driver keeps them all. More
   * are added one statement later.
   */
  static final int MOST_ENTRIES = 8;

  private final List<String> start;
  final String active;
  final String lock;
  final String lockNow;
  final String lockDue;
  private final List<String> save;
  private final List<String> saveKnown;
  private final List<String> saveKnownSurely;
  private final List<String> saveRunningSurely;
  private final List<String> add;
  final String postpone;
  final String find;
  final String counts;
  final String live;
  final String log;
  final String keep;
  final String definition;
  final String purge;
  final String purgeDefinitions;
  final String now;
  private final String list;
  private final String listByStatus;

  public ProcessSql(PostgresOptions options) {
    start = withLog(WITH_LOG, ENTRY, START, options);
    active = filled(ACTIVE, options);
    lock = filled(LOCK, options);
    lockNow = filled(LOCK_NOW, options);
    lockDue = filled(LOCK_DUE, options);
    save = withLog(WITH_LOG, ENTRY, SAVE, options);
    saveKnown = withLog(WITH_LOG, ENTRY, SAVE_KNOWN, options);
    saveKnownSurely = withLog(SURELY_WITH_LOG, SURE_ENTRY, SAVE_KNOWN, options);
    saveRunningSurely = withLog(SURELY_WITH_LOG, SURE_ENTRY, SAVE_RUNNING, options);
    add =
        byEntries(
            entries ->
                filled(ADD, options).replace("${entries}", list("(?, ?, ?, ?, ?, ?, ?)", entries)));
    postpone = filled(OutboxSql.BY_INDEX + POSTPONE, options);
    find = filled(OutboxSql.BY_INDEX + FIND, options);
    list = filled(OutboxSql.BY_INDEX + LIST, options);
    listByStatus = filled(OutboxSql.BY_INDEX + LIST_BY_STATUS, options);
    counts = filled(OutboxSql.BY_INDEX + COUNTS, options);
    live = filled(OutboxSql.BY_INDEX + LIVE, options);
    log = filled(OutboxSql.BY_INDEX + LOG, options);
    keep = filled(OutboxSql.BY_INDEX + KEEP, options);
    definition = filled(OutboxSql.BY_INDEX + DEFINITION, options);
    purge = filled(OutboxSql.BY_INDEX + PURGE, options);
    purgeDefinitions = filled(OutboxSql.BY_INDEX + PURGE_DEFINITIONS, options);
    now = filled(OutboxSql.BY_INDEX + "SELECT ${now}", options);
  }

  /** Returns the statement that starts a process with this number of entries. */
  String start(int entries) {
    return start.get(entries);
  }

  /** Returns the statement that saves a process with this number of entries. */
  String save(int entries) {
    return save.get(entries);
  }

  /** Returns the statement that saves a known process with this number of entries. */
  String saveKnown(int entries) {
    return saveKnown.get(entries);
  }

  /** Returns the statement that fails if the process has changed; needs at least one entry. */
  String saveKnownSurely(int entries) {
    return saveKnownSurely.get(entries);
  }

  /** Returns the shorter statement for a process that {@link ProcessColumns#isRunning}. */
  String saveRunningSurely(int entries) {
    return saveRunningSurely.get(entries);
  }

  /** Returns the statement that adds entries to the log. */
  String add(int entries) {
    return add.get(entries);
  }

  private static List<String> withLog(
      String statement, String entry, String written, PostgresOptions options) {
    String text = statement.replace("${written}", written);
    return byEntries(
        entries ->
            filled(
                entries == 0 ? written : text.replace("${entries}", list(entry, entries)),
                options));
  }

  private static List<String> byEntries(IntFunction<String> text) {
    return IntStream.rangeClosed(0, MOST_ENTRIES).mapToObj(text).toList();
  }

  private static String list(String entry, int entries) {
    return String.join(", ", Collections.nCopies(entries, entry));
  }

  /** Returns whether {@link #list} searches by status; a business key is more selective. */
  static boolean isByStatus(ProcessFilter filter) {
    return !filter.statuses().isEmpty() && filter.businessKey().isEmpty();
  }

  /** Returns the statement for a filter; {@link ProcessReader#list} binds its parameters. */
  String list(ProcessFilter filter) {
    boolean byStatus = isByStatus(filter);
    List<String> wanted = new ArrayList<>(List.of("true"));
    filter.type().ifPresent(type -> wanted.add("p.process_type = ?"));
    filter.businessKey().ifPresent(key -> wanted.add("p.business_key = ?"));
    if (!byStatus && !filter.statuses().isEmpty()) {
      wanted.add("p.status = ANY (CAST(? AS text[]))");
    }
    filter.definition().ifPresent(hash -> wanted.add("p.definition = ?"));
    filter.updatedBefore().ifPresent(time -> wanted.add("p.updated_at < ?"));
    filter.after().ifPresent(id -> wanted.add("p.process_id > ?"));
    return (byStatus ? listByStatus : list).replace("${wanted}", String.join(" AND ", wanted));
  }

  /** Adds the run time of the statement to its time, which may be that of its beginning. */
  private static String filled(String statement, PostgresOptions options) {
    return statement
        .replace("${stored}", ProcessColumns.STORED)
        .replace("${process}", options.qualified("process_instance"))
        .replace("${log}", options.qualified("process_log"))
        .replace("${definition}", options.qualified("process_definition"))
        .replace("${later}", "${now} + (clock_timestamp() - statement_timestamp())")
        .replace("${now}", options.clock());
  }
}
