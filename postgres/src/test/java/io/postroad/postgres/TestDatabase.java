package io.postroad.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A fresh database on the shared server, with a pool and a clock that tests move. */
public final class TestDatabase implements AutoCloseable {
  private static final String CLOCK =
      """
      CREATE TABLE test_clock (ahead interval NOT NULL);
      INSERT INTO test_clock VALUES ('0');
      CREATE FUNCTION test_now() RETURNS timestamptz LANGUAGE sql STABLE
        AS 'SELECT statement_timestamp() + (SELECT ahead FROM public.test_clock)';
      """;

  private final String url;
  private final HikariDataSource pool;

  private TestDatabase(String url) {
    this.url = url;
    this.pool = pool(url);
  }

  /** A database without a schema of ours. */
  public static TestDatabase empty(String name) throws SQLException {
    TestDatabase database = new TestDatabase(PostgresServer.shared().createDatabase(name));
    database.execute(CLOCK);
    return database;
  }

  /** A database with our schema. */
  public static TestDatabase migrated(String name) throws SQLException {
    TestDatabase database = empty(name);
    new PostgresSchema(database.pool, database.options()).migrate();
    return database;
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(25);
    config.setMinimumIdle(0);
    config.setPoolName("test");
    return new HikariDataSource(config);
  }

  public String url() {
    return url;
  }

  /** The URL for another user. */
  public String url(String user) {
    return url.replaceFirst("([?&]user=)[^&]*", "$1" + user);
  }

  /** A role of this database that may log in and nothing else, not even what everybody may. */
  public String createRole(String name) throws SQLException {
    String role = name + "_" + value("SELECT current_database()");
    execute("REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE ROLE %s LOGIN".formatted(role));
    return role;
  }

  /** A pool for a role that has the rights which {@link PostgresSchema#grants} prints. */
  public HikariDataSource servicePool() throws SQLException {
    String role = createRole("service");
    execute(new PostgresSchema(pool, options()).grants(role));
    execute("GRANT SELECT ON test_clock TO " + role);
    return pool(url(role));
  }

  public HikariDataSource pool() {
    return pool;
  }

  /** The default options with this database's clock. */
  public PostgresOptions options() {
    return PostgresOptions.defaults()
        .withClock("public.test_now()")
        .withSchemaMode(SchemaMode.VERIFY);
  }

  public PostgresCompetingStore open() {
    return PostgresCompetingStore.open(pool, options());
  }

  public PostgresOrderedStore openOrdered(int lanes) {
    return PostgresOrderedStore.open(pool, options().withLanes(lanes));
  }

  public void advance(Duration by) throws SQLException {
    update(
        "UPDATE test_clock SET ahead = ahead + ? * INTERVAL '1 microsecond'", by.toNanos() / 1000);
  }

  /** Removes all data and sets the clock back. */
  public void reset() throws SQLException {
    execute(
        "TRUNCATE outbox_queue, outbox_dedup, outbox_log_0, outbox_log_1, outbox_log_2,"
            + " outbox_cursor, outbox_awake, outbox_node, outbox_held, outbox_held_key,"
            + " outbox_scheduled, outbox_pause, outbox_audit, inbox, inbox_waiting, command,"
            + " process_instance, process_log, process_definition;"
            + " UPDATE test_clock SET ahead = '0'");
    setLanes(1);
  }

  /** The lanes as if the schema had been set up with so many. */
  public void setLanes(int lanes) throws SQLException {
    execute(
        "TRUNCATE outbox_lane;"
            + " INSERT INTO outbox_lane (lane) SELECT generate_series(0, %d - 1)".formatted(lanes));
  }

  public void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  public int update(String sql, Object... parameters) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      return statement.executeUpdate();
    }
  }

  /** The rows of a query, each as its columns joined by {@code |}. */
  public List<String> rows(String sql, Object... parameters) throws SQLException {
    return rows(pool, sql, parameters);
  }

  public static List<String> rows(DataSource dataSource, String sql, Object... parameters)
      throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      List<String> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        int columns = row.getMetaData().getColumnCount();
        while (row.next()) {
          List<String> values = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            values.add(String.valueOf(row.getString(i)));
          }
          rows.add(String.join("|", values));
        }
      }
      return rows;
    }
  }

  /** The only value of a query. */
  public String value(String sql, Object... parameters) throws SQLException {
    return rows(sql, parameters).get(0);
  }

  /** Returns when some statement in this database waits for a lock. */
  public void awaitLockWait() throws SQLException {
    awaitLockWaits(1);
  }

  /** Returns when so many statements in this database wait for a lock. */
  void awaitLockWaits(int statements) throws SQLException {
    String waiting =
        "SELECT count(*) FROM pg_stat_activity"
            + " WHERE wait_event_type = 'Lock' AND datname = current_database()";
    while (Integer.parseInt(value(waiting)) < statements) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException(
            "there are not %d that wait for a lock".formatted(statements));
      }
      Thread.onSpinWait();
    }
  }

  private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
