package io.postroad.drain;

import io.postroad.postgres.internal.jdbc.SqlTimes;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Statements on the table of another outbox. */
final class DrainSql {
  // Decides what a run does with a row; no other place does.
  private static final String FATE =
      """
      CASE
        WHEN t.${completed_at} IS NOT NULL OR ${status} = '${COMPLETED}' THEN 'DELIVERED'
        WHEN ${status} = '${FAILED}' AND ${leave_failed} THEN 'FAILED'
        WHEN ${status} NOT IN (${known}) THEN 'UNKNOWN'
        WHEN GREATEST(${created_at}, ${touched_at})
          > statement_timestamp() - INTERVAL '${min_age} microseconds' THEN 'YOUNG'
        ELSE 'TAKEN'
      END
      """;

  private static final String COUNT =
      """
      SELECT ${status}, ${fate}, count(*)
      FROM ${table} AS t
      GROUP BY 1, 2
      ORDER BY 1 NULLS FIRST, 2
      """;

  // A page is long: neither library has an index that would find the next rows in order.
  private static final String PAGE =
      """
      SELECT CAST(t.id AS text), ${order}
      FROM ${table} AS t, (VALUES (CAST(? AS timestamptz), CAST(? AS ${id_type}))) AS p(at, id)
      WHERE ${fate} = 'TAKEN' AND (p.at IS NULL OR (${order}, t.id) > (p.at, p.id))
      ORDER BY ${order}, t.id
      LIMIT ?
      """;

  private static final String READ =
      """
      SELECT CAST(t.id AS text), t.${type}, t.${listener}, ${key}, CAST(t.${payload} AS text),
        ${context}, ${order}, CASE WHEN ${due_at} > statement_timestamp() THEN ${due_at} END,
        ${failures}, ${status}
      FROM unnest(CAST(CAST(? AS text[]) AS ${id_type}[])) WITH ORDINALITY AS w(id, place)
      JOIN ${table} AS t ON t.id = w.id
      WHERE ${fate} = 'TAKEN'
      ORDER BY w.place
      """;

  // Waits for rows that the old application is changing, and then reads whether they are still
  // undelivered. If the drain skipped them, later rows of their key would overtake them.
  private static final String FOR_UPDATE = "FOR UPDATE OF t";

  private static final String COMPLETE =
      """
      UPDATE ${table} AS t
      SET ${set_status} ${completed_at} = ${now}
      WHERE t.id = ANY (CAST(CAST(? AS text[]) AS ${id_type}[]))
      """;

  private static final String DELETE =
      """
      DELETE FROM ${table} AS t
      WHERE t.id = ANY (CAST(CAST(? AS text[]) AS ${id_type}[]))
      """;

  private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";

  private static final int MAX_PAGE = 50_000;
  private static final int BATCHES_PER_PAGE = 100;

  final String count;
  final String page;
  final String read;
  final String readForUpdate;
  final String settle;
  final String lock = LOCK;

  /** Number of ids that are read at once. */
  final int pageSize;

  DrainSql(DrainTable table, DrainOptions options) {
    pageSize = Math.min(options.batchSize() * BATCHES_PER_PAGE, MAX_PAGE);
    count = filled(COUNT, table, options);
    page = filled(PAGE, table, options);
    read = filled(READ, table, options);
    readForUpdate = filled(READ + FOR_UPDATE, table, options);
    settle =
        switch (options.movedRows()) {
          case COMPLETE -> filled(COMPLETE, table, options);
          case DELETE -> filled(DELETE, table, options);
        };
  }

  private static String filled(String statement, DrainTable table, DrainOptions options) {
    DrainColumns columns = table.source().columns();
    boolean leaveFailed = options.failedRows() == DrainOptions.FailedRows.LEAVE;
    String known =
        Stream.concat(columns.pending().stream(), Stream.of(DrainColumns.FAILED))
            .map("'%s'"::formatted)
            .collect(Collectors.joining(", "));
    return statement
        .replace("${fate}", FATE)
        .replace("${order}", "COALESCE(${created_at}, to_timestamp(0))")
        .replace("${table}", table.name())
        .replace("${type}", columns.content().type())
        .replace("${listener}", columns.content().listener())
        .replace("${payload}", columns.content().payload())
        .replace("${key}", table.text(columns.content().key()))
        .replace("${context}", table.text(columns.content().context()))
        .replace("${created_at}", table.instant(columns.times().createdAt()))
        .replace("${touched_at}", table.instant(columns.times().touchedAt()))
        .replace("${due_at}", table.instant(columns.times().dueAt()))
        .replace("${failures}", failures(table, columns.failures()))
        .replace("${status}", table.text(DrainColumns.STATUS))
        .replace(
            "${set_status}",
            table.has(DrainColumns.STATUS)
                ? "%s = '%s',".formatted(DrainColumns.STATUS, DrainColumns.COMPLETED)
                : "")
        .replace("${completed_at}", columns.times().completedAt())
        .replace("${now}", table.nowFor(columns.times().completedAt()))
        .replace("${known}", known)
        .replace("${COMPLETED}", DrainColumns.COMPLETED)
        .replace("${FAILED}", DrainColumns.FAILED)
        .replace("${leave_failed}", Boolean.toString(leaveFailed))
        .replace("${min_age}", Long.toString(SqlTimes.micros(options.minAge())))
        .replace("${id_type}", table.idType());
  }

  private static String failures(DrainTable table, DrainColumns.Failures failures) {
    return table.has(failures.column()) ? failures.expression() : "0";
  }
}
