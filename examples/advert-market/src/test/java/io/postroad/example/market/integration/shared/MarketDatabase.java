package io.postroad.example.market.integration.shared;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.example.market.app.outbox.OutboxConfiguration;
import io.postroad.example.market.shared.outbox.OutboxProperties;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database with the tables of the application, and a clock that only the test moves. */
final class MarketDatabase implements AutoCloseable {
  private static final String CLOCK =
      """
      CREATE TABLE test_clock (shows timestamptz NOT NULL);
      INSERT INTO test_clock VALUES (now());
      CREATE FUNCTION test_now() RETURNS timestamptz LANGUAGE sql STABLE
        AS 'SELECT shows FROM public.test_clock';
      """;

  private final HikariDataSource pool;
  private final JdbcTemplate jdbc;

  MarketDatabase() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(PostgresServer.shared().createDatabase("outbox"));
    config.setMaximumPoolSize(12);
    config.setMinimumIdle(0);
    pool = new HikariDataSource(config);
    jdbc = new JdbcTemplate(pool);
    Flyway.configure().dataSource(pool).load().migrate();
    jdbc.execute(CLOCK);
  }

  PostgresCompetingStore open(OutboxProperties outbox) {
    return PostgresCompetingStore.open(
        pool,
        PostgresOptions.defaults()
            .withPrefix("postroad_")
            .withSchemaMode(SchemaMode.MIGRATE)
            .withClock("public.test_now()"),
        OutboxConfiguration.layout(outbox));
  }

  JdbcTemplate jdbc() {
    return jdbc;
  }

  /** Opens another connection. */
  Connection connection() throws SQLException {
    return pool.getConnection();
  }

  void advance(Duration by) {
    jdbc.update(
        "UPDATE test_clock SET shows = shows + ? * INTERVAL '1 millisecond'", by.toMillis());
  }

  /** Inserts entries with the keys 1 to count, the oldest first, as another program would. */
  void insert(int count, String topic, String status) {
    insert(1, count, topic, status);
  }

  void insert(int from, int to, String topic, String status) {
    jdbc.update(
        """
        INSERT INTO outbox (deal_id, idempotency_key, topic, partition_key, payload, status, created_at)
        SELECT 'd-' || n, n, ?, 'd-' || n, '{"n":' || n || '}', ?, test_now() - (100000 - n) * INTERVAL '1 s'
        FROM generate_series(?, ?) n
        """,
        topic,
        status,
        from,
        to);
  }

  /** Returns an expression for all entries, in the order of their keys. */
  List<String> column(String expression) {
    return jdbc.queryForList(
        "SELECT CAST(%s AS text) FROM outbox ORDER BY CAST(idempotency_key AS int)"
            .formatted(expression),
        String.class);
  }

  @Override
  public void close() {
    pool.close();
  }
}
