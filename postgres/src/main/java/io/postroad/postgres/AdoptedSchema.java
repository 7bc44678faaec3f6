package io.postroad.postgres;

import io.postroad.layout.Layout;
import io.postroad.layout.LayoutException;
import io.postroad.postgres.internal.adopt.AdoptedColumns;
import io.postroad.postgres.internal.adopt.AdoptedDdl;
import io.postroad.postgres.internal.adopt.AdoptedFit;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.LongWork;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import io.postroad.postgres.internal.schema.SchemaHistory;
import io.postroad.postgres.internal.schema.TableCatalog;
import io.postroad.postgres.internal.schema.TableHolder;
import io.postroad.postgres.internal.schema.TableName;
import io.postroad.schema.SchemaException;
import io.postroad.schema.StoreSchema;
import io.postroad.spi.hint.Threads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schema of an outbox in a table of a team: Postroad's own tables, and nullable columns and indexes
 * in the team's table. Changes or removes nothing that the table has, and rewrites no row.
 *
 * <p>{@link #migrate()} adds the columns in one short transaction. It waits for the table in tries
 * of 200 ms, because inserts wait behind each try, and gives up after a minute. Then it makes each
 * index without blocking writers, for as long as that takes. After a crash the same call completes
 * the work.
 */
public final class AdoptedSchema implements StoreSchema {
  private static final Logger LOG = LoggerFactory.getLogger(AdoptedSchema.class);
  private static final long LOCK_EVERY_MILLIS = 200;
  private static final long LOCK_MILLIS = 200;
  private static final long TRY_AGAIN_MILLIS = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final String QUEUE = "outbox_queue";
  private static final String NOTE = "Postroad: not used, the messages are in table ";
  private static final String NOTED = "SELECT obj_description(CAST(? AS regclass), 'pg_class')";

  private static final String EQUAL_AGES =
      """
      SELECT count(*)
      FROM (
        SELECT DISTINCT o.destination, o.message_key
        FROM %s AS o
        WHERE o.status IS DISTINCT FROM 'DISPATCHED' AND o.message_key IS NOT NULL AND o.place = 0
        GROUP BY o.destination, o.message_key, o.age
        HAVING count(*) > 1) AS k
      """;

  private static final String TRY_LOCK =
      "SELECT pg_try_advisory_lock(hashtextextended('postroad adopts ' || ?, 0))";
  private static final String UNLOCK =
      "SELECT pg_advisory_unlock(hashtextextended('postroad adopts ' || ?, 0))";

  private final DataSource dataSource;
  private final PostgresOptions options;
  private final PostgresSchema ours;
  private final Layout layout;
  private final TableName table;
  private final Duration patience;

  /**
   * Creates the schema of a layout.
   *
   * @throws IllegalArgumentException when the layout lacks a required field, or its table has the
   *     name of a table of Postroad
   */
  public AdoptedSchema(DataSource dataSource, PostgresOptions options, Layout layout) {
    this(dataSource, options, layout, PATIENCE);
  }

  /**
   * Creates the schema of a layout.
   *
   * @param patience how long to try to lock the table
   */
  AdoptedSchema(DataSource dataSource, PostgresOptions options, Layout layout, Duration patience) {
    this.patience = patience;
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
   * Migrates Postroad's tables and adds missing columns and indexes to the team's table.
   *
   * @throws LayoutException when the layout does not fit the table
   */
  @Override
  public void migrate() {
    // Without an index on its status, checking a large table takes a while.
    AdoptedColumns columns = callForLong("check table " + table, this::checked);
    ours.migrate();
    call("note that the messages are in table " + table, this::claimOurTables);
    if (!AdoptedDdl.missing(columns, options.streams()).isEmpty()) {
      callForLong("add to table " + table, this::add);
    }
    verify();
  }

  @Override
  public void verify() {
    AdoptedColumns columns = columns();
    ours.verify();
    call("read which table Postroad's tables belong to", this::isNoted);
    List<String> missing = AdoptedDdl.missing(columns, options.streams());
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

  /** Returns Postroad's tables, then the columns and indexes that the team's table lacks now. */
  @Override
  public String script() {
    return ours.script()
        + "\n-- What table %s lacks. Indexes are made without holding up writers, which must not be\n"
            .formatted(table)
        + "-- inside a transaction.\n"
        + note()
        + ";\n"
        + String.join("\n", AdoptedDdl.missing(columns(), options.streams()))
        + "\n";
  }

  /**
   * Returns the comment that names the team's table. Deduplication keys, pauses and the exclusive
   * lease belong to one table; the comment keeps a second table from using them.
   */
  private String note() {
    return "COMMENT ON TABLE %s IS %s"
        .formatted(options.qualified(QUEUE), TableName.literal(NOTE + table));
  }

  /** Whether the comment is there. */
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
   * Reads the table.
   *
   * @throws LayoutException when the layout does not fit it
   */
  AdoptedColumns columns() {
    return call("check table " + table, this::checked);
  }

  private AdoptedColumns checked(Connection connection) throws SQLException {
    AdoptedColumns columns = read(connection);
    List<String> problems = AdoptedFit.problems(columns, connection);
    if (!problems.isEmpty()) {
      throw new LayoutException(layout, problems);
    }
    return columns;
  }

  /** Reads the catalog only, not the rows. */
  private AdoptedColumns read(Connection connection) throws SQLException {
    TableCatalog catalog =
        TableCatalog.read(connection, table)
            .orElseThrow(
                () ->
                    new LayoutException(layout, List.of("there is no table %s".formatted(table))));
    return new AdoptedColumns(layout, catalog);
  }

  /**
   * Adds columns and indexes, on one node at a time. A node that waits holds no snapshot, since
   * building an index would wait for it.
   */
  private boolean add(Connection connection) throws SQLException {
    boolean logged = false;
    while (!ask(connection, TRY_LOCK)) {
      if (!logged) {
        LOG.info("postgres: another node adds to table {}, waiting for it", table);
        logged = true;
      }
      Threads.pause(LOCK_EVERY_MILLIS, () -> false);
    }
    try {
      boolean drewPlaces = AdoptedDdl.drawsPlaces(read(connection).catalog());
      addColumns(connection);
      makeIndexes(connection);
      if (layout.ordered() && !drewPlaces) {
        warnOfEqualAges(connection);
      }
      LOG.info("postgres: table {} has all that layout '{}' needs", table, layout.name());
      return true;
    } finally {
      ask(connection, UNLOCK);
    }
  }

  /** Warns of rows from before the adoption whose order the table does not tell. */
  private void warnOfEqualAges(Connection connection) throws SQLException {
    String question = EQUAL_AGES.formatted(read(connection).rows());
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(question)) {
      if (row.next() && row.getLong(1) > 0) {
        LOG.warn(
            "postgres: table {} has undelivered rows of one key with equal times from before it was"
                + " adopted, which go in the order of their ids: keys={}; if their order matters, let"
                + " the old poller deliver them before a relay starts",
            table,
            row.getLong(1));
      }
    }
  }

  /**
   * Adds the columns in short tries. Inserts of the team wait behind a try that waits for the
   * table, so each try gives up soon and lets them through.
   */
  private void addColumns(Connection connection) throws SQLException {
    long began = System.nanoTime();
    long lockMillis = LOCK_MILLIS;
    while (!triesToAddColumns(connection, lockMillis)) {
      List<TableHolder> holders = TableHolder.of(connection, table);
      if (System.nanoTime() - began > patience.toNanos()) {
        throw new SchemaException(
            "could not add columns to table %s within %s, because these hold it: %s; nothing in it was changed; let them end, or end them (SELECT pg_terminate_backend(pid)), and open the store again"
                .formatted(table, patience, holders),
            requiredVersion(),
            installedVersion());
      }
      LOG.info(
          "postgres: waiting for table {} to add columns, trying again; held by {}",
          table,
          holders);
      // A vacuum gives way to a session that has waited for the deadlock time-out.
      lockMillis =
          !holders.isEmpty() && holders.stream().allMatch(TableHolder::isAutovacuum)
              ? LOCK_MILLIS + deadlockMillis(connection)
              : LOCK_MILLIS;
      Threads.pause(TRY_AGAIN_MILLIS, () -> false);
    }
  }

  private static long deadlockMillis(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT CAST(setting AS bigint) FROM pg_settings WHERE name = 'deadlock_timeout'")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Adds all columns or none; returns whether it could lock the table. */
  private boolean triesToAddColumns(Connection connection, long lockMillis) throws SQLException {
    connection.setAutoCommit(false);
    try {
      execute(connection, "SET LOCAL lock_timeout = %d".formatted(lockMillis));
      for (String statement : AdoptedDdl.missingColumns(read(connection))) {
        execute(connection, statement);
      }
      connection.commit();
      return true;
    } catch (SQLException | RuntimeException failed) {
      connection.rollback();
      if (failed instanceof SQLException sql && SqlErrors.isLockTimeout(sql)) {
        return false;
      }
      throw failed;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private void makeIndexes(Connection connection) throws SQLException {
    AdoptedColumns columns = read(connection);
    for (Map.Entry<String, String> missing :
        AdoptedDdl.missingIndexes(columns, options.streams()).entrySet()) {
      String drop =
          "DROP INDEX CONCURRENTLY IF EXISTS %s.%s"
              .formatted(TableName.quoted(table.schema()), TableName.quoted(missing.getKey()));
      // A crash leaves an invalid index.
      execute(connection, drop);
      try {
        execute(connection, missing.getValue());
      } catch (SQLException failed) {
        dropFailed(connection, drop, failed);
        throw failed;
      }
    }
  }

  /** Drops an invalid index, which serves no query and slows down every insert. */
  private static void dropFailed(Connection connection, String drop, SQLException because) {
    try {
      execute(connection, drop);
    } catch (SQLException broken) {
      because.addSuppressed(broken);
    }
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

  private <R> R callForLong(String what, Database.Work<R> work) {
    return call(
        what,
        connection -> {
          LongWork unlimited = LongWork.on(connection, dataSource);
          try {
            return work.run(connection);
          } finally {
            unlimited.close();
          }
        });
  }

  private <R> R call(String what, Database.Work<R> work) {
    try {
      return new Database(dataSource, options.statementTimeout()).borrow(work);
    } catch (SQLException failed) {
      throw SqlErrors.failed(what, failed);
    }
  }
}
