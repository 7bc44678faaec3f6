package io.postroad.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.postgres.PostgresOptions;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/** A fresh database on the shared server, with a pool. */
final class TestPostgres implements AutoCloseable {
  private final HikariDataSource pool;
  private final JdbcTemplate outside;

  TestPostgres(String name) {
    String url = PostgresServer.shared().createDatabase(name);
    pool = pool(url, 25);
    outside = new JdbcTemplate(pool(url, 1));
  }

  static HikariDataSource pool(String url, int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(10_000);
    return new HikariDataSource(config);
  }

  HikariDataSource pool() {
    return pool;
  }

  PostgresOptions options() {
    return PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE);
  }

  void execute(String sql) {
    outside.execute(sql);
  }

  /** Returns the first column of a query, as another transaction sees it. */
  List<String> seen(String sql) {
    return outside.queryForList(sql, String.class);
  }

  @Override
  public void close() {
    pool.close();
    if (outside.getDataSource() instanceof HikariDataSource other) {
      other.close();
    }
  }
}
