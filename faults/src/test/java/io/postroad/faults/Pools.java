package io.postroad.faults;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Connection pools that give up on a dead server soon enough for a test. */
final class Pools {
  private Pools() {}

  /**
   * @param application how the server knows its connections
   */
  static HikariDataSource open(String jdbcUrl, String application) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(jdbcUrl);
    config.addDataSourceProperty("ApplicationName", application);
    config.setMaximumPoolSize(6);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(2_000);
    return new HikariDataSource(config);
  }
}
