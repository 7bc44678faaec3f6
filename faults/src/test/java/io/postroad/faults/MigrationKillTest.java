package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresSchema;
import io.postroad.servers.ChildJvm;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A node is killed in the middle of a migration. The moment is certain: the test is about to create
 * something of the same name, and the node waits for whether it will.
 */
class MigrationKillTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String LOCK_WAITS =
      "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
          + " AND datname = current_database() AND application_name = '%s'";
  private static final String SESSIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND application_name = '%s'";
  private static final String RELATIONS =
      "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace";

  private enum Moment {
    FIRST("CREATE TABLE postroad_schema_history (n int)"),
    MIDDLE("CREATE TABLE outbox_log_1 (n int)"),
    LAST("CREATE VIEW outbox AS SELECT 1");

    private final String inTheWay;

    Moment(String inTheWay) {
      this.inTheWay = inTheWay;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKilledMigrationLeavesNothingAndTheSameCallCompletes(Moment moment) throws Exception {
    Length.needs(Product.POSTGRESQL);
    Sql sql = new Sql(PostgresServer.shared().createDatabase("migration"));

    boolean unused = killAt(moment, sql, () -> true);

    Eventually.await(
        PATIENCE,
        () -> sql.number(SESSIONS.formatted(MigrationProcess.APPLICATION)) == 0,
        () -> "the server still works for the killed node");
    assertThat(sql.number(RELATIONS)).as("tables, views and indexes that are left").isZero();
    try (HikariDataSource pool = Pools.open(sql.jdbcUrl(), "next")) {
      PostgresSchema schema = new PostgresSchema(pool, PostgresOptions.defaults());
      schema.migrate();
      schema.verify();
      assertThat(schema.installedVersion()).isEqualTo(schema.requiredVersion());
    }
  }

  @Test
  void aNodeThatStartedAtTheSameTimeTakesOver() throws Exception {
    Length.needs(Product.POSTGRESQL);
    Sql sql = new Sql(PostgresServer.shared().createDatabase("migration"));
    try (HikariDataSource pool = Pools.open(sql.jdbcUrl(), "waiting")) {
      PostgresSchema schema = new PostgresSchema(pool, PostgresOptions.defaults());
      CompletableFuture<Void> migrated =
          killAt(
              Moment.MIDDLE,
              sql,
              () -> {
                CompletableFuture<Void> waiting = CompletableFuture.runAsync(schema::migrate);
                awaitLockWait(sql, "waiting");
                return waiting;
              });

      migrated.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      schema.verify();
    }
  }

  /**
   * @param meanwhile what happens while the node stands still
   */
  private static <R> R killAt(Moment moment, Sql sql, Callable<R> meanwhile) throws Exception {
    try (Connection other = sql.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(moment.inTheWay);
      try (ChildJvm node = ChildJvm.start(MigrationProcess.class, sql.jdbcUrl())) {
        awaitLockWait(sql, MigrationProcess.APPLICATION);
        R result = meanwhile.call();
        node.kill();
        other.rollback();
        return result;
      }
    }
  }

  private static void awaitLockWait(Sql sql, String application) throws Exception {
    Eventually.await(
        PATIENCE,
        () -> sql.number(LOCK_WAITS.formatted(application)) > 0,
        () -> application + " does not wait for a lock");
  }
}
