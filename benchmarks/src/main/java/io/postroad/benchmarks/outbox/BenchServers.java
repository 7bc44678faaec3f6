package io.postroad.benchmarks.outbox;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;

/** Fresh servers for one run, and the rounds on them. */
final class BenchServers implements AutoCloseable {
  private static final int PARTITIONS = 8;

  /** Eight writers, and enough for any relay. */
  private static final int CONNECTIONS = 16;

  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final String jdbcUrl;
  private final HikariDataSource pool;
  private final String run = "%08x".formatted(ThreadLocalRandom.current().nextInt());
  private int rounds;

  private BenchServers(PostgresServer postgres, KafkaServer kafka) {
    this.postgres = postgres;
    this.kafka = kafka;
    this.jdbcUrl = postgres.createDatabase("bench");
    HikariConfig config = new HikariConfig();
    config.setPoolName("bench");
    config.setJdbcUrl(jdbcUrl);
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
  }

  static BenchServers start() {
    // Every round begins with a checkpoint of its own; none is to come in the middle of one.
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("max_wal_size", "8GB")
            .withSetting("checkpoint_timeout", "1h");
    PostgresServer postgres = PostgresServer.started(options);
    return new BenchServers(postgres, KafkaServer.started());
  }

  /** A round on empty tables and an empty topic, everything before it written to disk. */
  Round round(Entrant entrant) throws SQLException {
    rounds++;
    String schema = "bench_" + entrant.label().replace('-', '_');
    String topic = "bench-%s-%s-%d".formatted(run, entrant.label(), rounds);
    Orders orders = new Orders(schema);
    kafka.createTopic(topic, PARTITIONS);
    execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
    execute("CREATE SCHEMA " + schema);
    execute(orders.create());
    StatementCount statements = new StatementCount();
    Arena arena =
        new Arena(
            statements.counted(pool), jdbcUrl, statements, schema, kafka.bootstrapServers(), topic);
    Meter meter = new Meter(pool, statements);
    Round round = new Round(arena, orders, entrant.enter(arena), meter);
    execute("CHECKPOINT");
    System.gc();
    return round;
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
    kafka.close();
    postgres.close();
  }
}
