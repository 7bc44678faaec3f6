package io.postroad.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresSchema;

/** A node that migrates the schema of the database it is given, to be killed meanwhile. */
final class MigrationProcess {
  /** How the server knows its connections. */
  static final String APPLICATION = "migrating";

  private MigrationProcess() {}

  public static void main(String[] jdbcUrl) {
    try (HikariDataSource pool = Pools.open(jdbcUrl[0], APPLICATION)) {
      new PostgresSchema(pool, PostgresOptions.defaults()).migrate();
    }
  }
}
