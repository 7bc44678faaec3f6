package io.postroad.benchmarks.outbox;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.OutboxStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** PostgreSQL for one run, and its entrants. */
final class PostgresBench implements BenchDatabase {
  /** Eight writers, and enough for any relay. */
  private static final int CONNECTIONS = 16;

  private static final List<ContenderFactory<PostgresArena>> FACTORIES =
      List.of(
          new ContenderFactory<>(new Entrant(Entrant.SUBJECT, true), PostgresBench::ordered),
          new ContenderFactory<>(
              new Entrant("postroad-competing", false), PostgresBench::competing),
          new ContenderFactory<>(new Entrant("limit-queue", false), PostgresLimit::queue),
          new ContenderFactory<>(new Entrant("limit-log", true), PostgresLimit::log));

  private final PostgresServer server;
  private final String jdbcUrl;
  private final HikariDataSource pool;

  private PostgresBench(PostgresServer server) {
    this.server = server;
    this.jdbcUrl = server.createDatabase("bench");
    HikariConfig config = new HikariConfig();
    config.setPoolName("bench");
    config.setJdbcUrl(jdbcUrl);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
  }

  static PostgresBench start() {
    // Every round begins with a checkpoint; none may occur in the middle of a round.
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("max_wal_size", "8GB")
            .withSetting("checkpoint_timeout", "1h");
    return new PostgresBench(PostgresServer.started(options));
  }

  static List<Entrant> entrants() {
    return ContenderFactory.entrants(FACTORIES);
  }

  @Override
  public Stage stage(Entrant entrant, Topic topic) throws Exception {
    String schema = "bench_" + entrant.label().replace('-', '_');
    PostgresOrders orders = new PostgresOrders(schema);
    execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    execute("CREATE SCHEMA " + schema);
    execute(orders.create());
    StatementCount statements = new StatementCount();
    JdbcCounter counter = new JdbcCounter(statements);
    PostgresArena arena =
        new PostgresArena(counter.counted(pool), jdbcUrl, counter, schema, orders, topic);
    return new Stage(
        ContenderFactory.of(entrant, FACTORIES).enter(arena),
        new PostgresMeter(pool, statements),
        statements,
        () -> holdReader(arena));
  }

  private static Contender ordered(PostgresArena arena) {
    return postroad(arena, PostgresOrderedStore.open(arena.pool(), options(arena)));
  }

  private static Contender competing(PostgresArena arena) {
    return postroad(arena, PostgresCompetingStore.open(arena.pool(), options(arena)));
  }

  private static Contender postroad(PostgresArena arena, OutboxStore<Connection> store) {
    return new PostroadContender<>(store, arena.orders(), arena.topic());
  }

  private static PostgresOptions options(PostgresArena arena) {
    return PostgresOptions.defaults().withSchema(arena.schema()).withSchemaMode(SchemaMode.MIGRATE);
  }

  /** Opens a snapshot, which keeps all rows that are deleted from now on. */
  private static HeldTransaction holdReader(PostgresArena arena) throws SQLException {
    Connection connection = arena.pool().getConnection();
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM %s.orders".formatted(arena.schema()))) {
      row.next();
    }
    return () -> {
      connection.rollback();
      connection.close();
    };
  }

  @Override
  public void flush() throws SQLException {
    execute("CHECKPOINT");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    pool.close();
    server.close();
  }
}
