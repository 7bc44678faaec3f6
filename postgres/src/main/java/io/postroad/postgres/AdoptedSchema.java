package io.postroad.postgres;

import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.store.SchemaException;
import io.postroad.store.StoreSchema;
import io.postroad.store.hint.Threads;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of the stores, and what a table of a team needs beside its own columns: nullable ones
 * and indexes. Nothing of what it has is changed or removed, and no row is rewritten.
 *
 * <p>{@link #migrate()} adds the columns in one short transaction that gives up when it cannot have
 * the table within ten seconds, then makes each index without holding up writers. A crash leaves
 * some of it; the same call completes it.
 */
public final class AdoptedSchema implements StoreSchema {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptedSchema.class);
  private static final int LONGEST_NAME = 63;
  private static final long LOOK_AGAIN_MILLIS = 200;

  private static final String QUEUE = "outbox_queue";
  private static final String NOTE = "Postroad: not used, the messages are in table ";
  private static final String NOTED = "SELECT obj_description(CAST(? AS regclass), 'pg_class')";

  private static final String TRY_LOCK =
      "SELECT pg_try_advisory_lock(hashtextextended('postroad adopts ' || ?, 0))";
  private static final String UNLOCK =
      "SELECT pg_advisory_unlock(hashtextextended('postroad adopts ' || ?, 0))";

  private final DataSource dataSource;
  private final PostgresOptions options;
  private final PostgresSchema ours;
  private final Layout layout;
  private final TableName table;

  /**
   * The schema of a layout.
   *
   * @throws IllegalArgumentException when the layout does not say enough, or its table has the name
   *     of one of ours
   */
  public AdoptedSchema(DataSource dataSource, PostgresOptions options, Layout layout) {
    this.dataSource = dataSource;
    this.options = options;
    this.ours = new PostgresSchema(dataSource, options.withStreams(false));
    this.layout = layout.checked();
    this.table = TableName.of(layout.table(), options.schema());
    if (table.schema().equals(options.schema())
        && SchemaHistory.RELATIONS.stream()
            .anyMatch(name -> table.name().equals(options.prefix() + name))) {
      throw new IllegalArgumentException(
          "table %s has the name of one of Postroad's own; give those another one, for example"
                  .formatted(table)
              + " PostgresOptions.withPrefix(\"postroad_\")");
    }
  }

  @Override
  public int requiredVersion() {
    return ours.requiredVersion();
  }

  @Override
  public int installedVersion() {
    return ours.installedVersion();
  }

  /**
   * Brings our tables up to date and adds to the team's table what it lacks.
   *
   * @throws LayoutException when the layout does not fit the table
   */
  @Override
  public void migrate() {
    AdoptedColumns columns = columns();
    ours.migrate();
    call("note that the messages are in table " + table, this::claimOurTables);
    if (!missing(columns, options.streams()).isEmpty()) {
      call("add to table " + table, this::add);
    }
    verify();
  }

  @Override
  public void verify() {
    AdoptedColumns columns = columns();
    ours.verify();
    call("read whose messages these are", this::isNoted);
    List<String> missing = missing(columns, options.streams());
    if (!missing.isEmpty()) {
      throw new SchemaException(
          "table %s lacks what Postroad adds to it; open the store with SchemaMode.MIGRATE, or have"
                  .formatted(table)
              + " its owner run:\n"
              + String.join("\n", missing),
          requiredVersion(),
          installedVersion());
    }
  }

  /** Our tables, then what the team's table lacks now. */
  @Override
  public String script() {
    return ours.script()
        + "\n-- What table %s lacks. Indexes are made without holding up writers, which must not be\n"
            .formatted(table)
        + "-- inside a transaction.\n"
        + note()
        + ";\n"
        + String.join("\n", missing(columns(), options.streams()))
        + "\n";
  }

  /**
   * Keys, pauses and the exclusive lease are of one table. Which one is written down in a comment,
   * so that a second table is not given the same ones.
   */
  private String note() {
    return "COMMENT ON TABLE %s IS %s"
        .formatted(options.qualified(QUEUE), TableName.literal(NOTE + table));
  }

  /** Whether it is written down. */
  private boolean isNoted(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NOTED)) {
      statement.setString(1, options.qualified(QUEUE));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        Optional<String> noted =
            Optional.ofNullable(row.getString(1)).filter(text -> text.startsWith(NOTE));
        if (noted.isPresent() && !noted.get().equals(NOTE + table)) {
          throw new LayoutException(
              layout,
              List.of(
                  "Postroad's tables with schema '%s' and prefix '%s' belong to table %s; give this one a PostgresOptions.prefix of its own"
                      .formatted(
                          options.schema(),
                          options.prefix(),
                          noted.get().substring(NOTE.length()))));
        }
        return noted.isPresent();
      }
    }
  }

  private boolean claimOurTables(Connection connection) throws SQLException {
    boolean noted = isNoted(connection);
    if (!noted) {
      execute(connection, note());
    }
    return !noted;
  }

  /**
   * The table as it is.
   *
   * @throws LayoutException when the layout does not fit it
   */
  AdoptedColumns columns() {
    return call("look at table " + table, this::checked);
  }

  private AdoptedColumns checked(Connection connection) throws SQLException {
    AdoptedColumns columns = read(connection);
    List<String> problems = AdoptedFit.problems(columns, connection);
    if (!problems.isEmpty()) {
      throw new LayoutException(layout, problems);
    }
    return columns;
  }

  /** Without looking at the rows, which may be many. */
  private AdoptedColumns read(Connection connection) throws SQLException {
    TableCatalog catalog =
        TableCatalog.read(connection, table)
            .orElseThrow(
                () ->
                    new LayoutException(layout, List.of("there is no table %s".formatted(table))));
    return new AdoptedColumns(layout, catalog);
  }

  /** The statements that are still to be run, each with its semicolon. */
  static List<String> missing(AdoptedColumns columns, boolean streams) {
    List<String> statements = new ArrayList<>(missingColumns(columns));
    missingIndexes(columns, streams)
        .forEach((name, index) -> statements.add(index.statement(name, columns) + ";"));
    return statements;
  }

  private static List<String> missingColumns(AdoptedColumns columns) {
    Map<String, String> missing = new LinkedHashMap<>(columns.added());
    missing.keySet().removeAll(columns.catalog().columns().keySet());
    if (missing.isEmpty()) {
      return List.of();
    }
    String table = columns.catalog().table().quoted();
    List<String> statements = new ArrayList<>();
    statements.add(
        missing.entrySet().stream()
            .map(each -> "  ADD COLUMN %s %s".formatted(each.getKey(), each.getValue()))
            .collect(Collectors.joining(",\n", "ALTER TABLE " + table + "\n", ";")));
    String status = Field.STATUS.addedName();
    Layout layout = columns.layout();
    if (missing.containsKey(status)
        && !layout.statusOfRowsWithoutOne().equals(layout.statuses().pending())) {
      statements.add(
          "ALTER TABLE %s ALTER COLUMN %s SET DEFAULT %s;"
              .formatted(table, status, TableName.literal(layout.statuses().pending())));
    }
    return statements;
  }

  /** An index over expressions of a row. */
  private record Index(boolean unique, String expressions, String where) {
    String statement(String name, AdoptedColumns columns) {
      return "CREATE %sINDEX CONCURRENTLY IF NOT EXISTS %s\n  ON %s (%s)%s"
          .formatted(
              unique ? "UNIQUE " : "",
              TableName.quoted(name),
              columns.catalog().table().quoted(),
              expressions,
              where.isEmpty() ? "" : "\n  WHERE " + where);
    }
  }

  private static Map<String, Index> missingIndexes(AdoptedColumns columns, boolean streams) {
    Map<String, Index> indexes = indexes(columns, streams);
    indexes.keySet().removeAll(columns.catalog().indexes());
    return indexes;
  }

  private static Map<String, Index> indexes(AdoptedColumns ofRows, boolean streams) {
    Map<String, Index> named = new LinkedHashMap<>();
    indexesByUse(ofRows.ofIndex(), streams)
        .forEach((use, index) -> named.put(name(ofRows.catalog().table(), use, index), index));
    return named;
  }

  private static Map<String, Index> indexesByUse(AdoptedColumns columns, boolean streams) {
    String status = "(" + columns.status() + ")";
    String ended =
        "(COALESCE(%s, %s))".formatted(columns.time(Field.SETTLED_AT), columns.created());
    String aside = columns.time(Field.ASIDE_AT);
    Map<String, Index> indexes = new LinkedHashMap<>();
    if (!columns.idIsOurs()) {
      indexes.put("id", new Index(true, "(" + columns.id() + ")", ""));
    }
    indexes.put("due", new Index(false, "(" + columns.due() + ")", status + " = 'PENDING'"));
    indexes.put("delivered", new Index(false, ended, status + " = 'DISPATCHED'"));
    indexes.put(
        "dead", new Index(false, ended + ", (" + columns.id() + ")", status + " = 'FAILED'"));
    indexes.put(
        "aside",
        new Index(
            false,
            "((%s) COLLATE \"C\"), (%s)".formatted(columns.text(Field.DESTINATION), aside),
            aside + " IS NOT NULL"));
    if (streams) {
      indexes.put(
          "stream",
          new Index(
              false,
              "((%s) COLLATE \"C\"), (%s)"
                  .formatted(columns.text(Field.DESTINATION), columns.due()),
              status + " = 'PENDING'"));
    }
    indexes.put("unknown", new Index(false, columns.raw(Field.STATUS), status + " IS NULL"));
    if (columns.layout().ordered()) {
      indexes.put(
          "order",
          new Index(
              false,
              "(%s), (%s), (%s), (%s)"
                  .formatted(
                      columns.text(Field.DESTINATION),
                      columns.text(Field.KEY),
                      columns.place(),
                      columns.id()),
              status + " IS DISTINCT FROM 'DISPATCHED'"));
    }
    columns
        .stranger()
        .ifPresent(
            stranger ->
                indexes.put("stranger", new Index(false, columns.raw(Field.CREATED_AT), stranger)));
    return indexes;
  }

  /**
   * Says what it is made of: another layout makes another index, and tables whose long names begin
   * alike do not meet in one.
   */
  private static String name(TableName table, String use, Index index) {
    String end = "_postroad_%s_%08x_idx".formatted(use, (table + " " + index).hashCode());
    String begin = table.name();
    while ((begin + end).getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
      begin = begin.substring(0, begin.offsetByCodePoints(begin.length(), -1));
    }
    return begin + end;
  }

  /** One node at a time; who waits holds no snapshot, which the making of an index waits for. */
  private boolean add(Connection connection) throws SQLException {
    while (!ask(connection, TRY_LOCK)) {
      Threads.pause(LOOK_AGAIN_MILLIS, () -> false);
    }
    try {
      addColumns(connection);
      for (String statement : indexStatements(connection)) {
        execute(connection, statement);
      }
      LOG.info("postgres: table {} has all that layout '{}' needs", table, layout.name());
      return true;
    } finally {
      ask(connection, UNLOCK);
    }
  }

  private void addColumns(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try {
      execute(connection, "SET LOCAL lock_timeout = '10s'");
      for (String statement : missingColumns(read(connection))) {
        execute(connection, statement);
      }
      connection.commit();
    } catch (SQLException | RuntimeException failed) {
      connection.rollback();
      throw failed;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private List<String> indexStatements(Connection connection) throws SQLException {
    AdoptedColumns columns = read(connection);
    List<String> statements = new ArrayList<>();
    missingIndexes(columns, options.streams())
        .forEach(
            (name, index) -> {
              // What a crash left is there and not valid.
              statements.add(
                  "DROP INDEX CONCURRENTLY IF EXISTS %s.%s"
                      .formatted(TableName.quoted(table.schema()), TableName.quoted(name)));
              statements.add(index.statement(name, columns));
            });
    return statements;
  }

  private boolean ask(Connection connection, String question) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(question)) {
      statement.setString(1, table.toString());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private static void execute(Connection connection, String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private <R> R call(String what, Database.Work<R> work) {
    try {
      return new Database(dataSource, options.statementTimeout()).borrow(work);
    } catch (SQLException failed) {
      throw SqlErrors.failed(what, failed);
    }
  }
}
