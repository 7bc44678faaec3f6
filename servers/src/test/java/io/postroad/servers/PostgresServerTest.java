package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs on a server of ours even where POSTGRES_URL is set: hurting it is the point. */
final class PostgresServerTest {
  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.local(ServerOptions.defaults(), RunAs.detect());
    server.start();
  }

  @AfterAll
  static void close() {
    server.close();
  }

  @Test
  void commitsAreDurable() throws SQLException {
    assertThat(query(server.jdbcUrl(), "SHOW fsync")).isEqualTo("on");
    assertThat(query(server.jdbcUrl(), "SHOW synchronous_commit")).isEqualTo("on");
    assertThat(query(server.jdbcUrl(), "SELECT current_user")).isEqualTo(server.user());
    assertThat(server.password()).isEmpty();
  }

  @Test
  void createdDatabasesAreFreshEveryTime() throws SQLException {
    String first = server.createDatabase("orders");
    String second = server.createDatabase("orders");
    assertThat(query(first, "SELECT current_database()")).startsWith("orders_");
    assertThat(first).isNotEqualTo(second);
  }

  @Test
  void databaseNamesThatNeedQuotesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> server.createDatabase("x; DROP DATABASE postgres"))
        .withMessageContaining("must match");
  }

  @Test
  void killAndRestartKeepCommittedDataAndThePort() throws SQLException {
    String url = server.createDatabase("kept");
    execute(url, "CREATE TABLE t (n INT)");
    execute(url, "INSERT INTO t VALUES (42)");
    try (Connection open = DriverManager.getConnection(url);
        Statement uncommitted = open.createStatement()) {
      open.setAutoCommit(false);
      uncommitted.execute("INSERT INTO t VALUES (43)");

      server.kill();

      assertThatThrownBy(() -> DriverManager.getConnection(url)).isInstanceOf(SQLException.class);
      assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
    }
    server.restart();
    assertThat(query(url, "SELECT string_agg(n::text, ',') FROM t")).isEqualTo("42");
  }

  @Test
  void stopAndStartKeepCommittedData() throws SQLException {
    String url = server.createDatabase("stopped");
    execute(url, "CREATE TABLE t AS SELECT 7 AS n");
    server.stop();
    assertThatThrownBy(() -> DriverManager.getConnection(url)).isInstanceOf(SQLException.class);
    server.start();
    assertThat(query(url, "SELECT n FROM t")).isEqualTo("7");
  }

  @Test
  void aFrozenServerAnswersWhenItIsUnfrozen() throws Exception {
    try (Connection open = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = open.createStatement()) {
      long backend = Long.parseLong(query(statement, "SELECT pg_backend_pid()"));
      server.freeze();
      assertThat(ProcessTable.find(backend)).get().matches(ProcessTable.Entry::isSuspended);
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(() -> unchecked(statement, "SELECT 'thawed'"));
      assertThat(answer).isNotDone();

      server.unfreeze();

      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("thawed");
    }
  }

  @Test
  void settingsReachTheServer() throws SQLException {
    ServerOptions options =
        ServerOptions.defaults()
            .withSetting("max_connections", "50")
            .withSetting("application_name", "it's \\ quoted");
    try (PostgresServer tuned = PostgresServer.local(options, RunAs.detect())) {
      assertThatIllegalStateException().isThrownBy(tuned::jdbcUrl).withMessageContaining("start()");
      tuned.start();
      assertThat(query(tuned.jdbcUrl(), "SHOW max_connections")).isEqualTo("50");
    }
  }

  @Test
  void aStandbyOnlyReads() throws SQLException {
    try (PostgresServer standby = PostgresServer.startedStandby()) {
      assertThat(query(standby.jdbcUrl(), "SELECT pg_is_in_recovery()")).isEqualTo("t");
      assertThatThrownBy(() -> execute(standby.jdbcUrl(), "CREATE TABLE t (n INT)"))
          .hasMessageContaining("read-only");
    }
  }

  @Test
  void settingsThatLoseCommitsAreRefused() {
    ServerOptions unsafe = ServerOptions.defaults().withSetting("fsync", "off");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PostgresServer.local(unsafe, RunAs.detect()))
        .withMessageContaining("fsync must be on, got off");
  }

  @Test
  void closeEndsTheServerAndRemovesItsData() throws SQLException {
    PostgresServer other = PostgresServer.local(ServerOptions.defaults(), RunAs.detect());
    other.start();
    Path data = Path.of(query(other.jdbcUrl(), "SHOW data_directory"));
    assertThat(data).isDirectory();
    String url = other.jdbcUrl();

    other.close();

    assertThat(data.getParent()).doesNotExist();
    assertThatThrownBy(() -> DriverManager.getConnection(url)).isInstanceOf(SQLException.class);
  }

  @Test
  void rootCanRunItAsNobody() throws SQLException {
    Assumptions.assumeTrue(
        RunAs.uid(Path.of("/proc/self")) == 0, "only root needs to become somebody else");
    try (PostgresServer nobodys = PostgresServer.local(ServerOptions.defaults(), RunAs.NOBODY)) {
      nobodys.start();
      execute(nobodys.createDatabase("x"), "CREATE TABLE t AS SELECT 7 AS n");
      nobodys.kill();
      nobodys.restart();
    }
  }

  @Test
  void aServerFromTheEnvironmentIsUsedButNeverHurt() throws SQLException {
    PostgresServer external = PostgresServer.external(server.jdbcUrl());
    external.start();
    assertThat(query(external.createDatabase("x"), "SELECT 1")).isEqualTo("1");
    for (Runnable hurt :
        new Runnable[] {external::kill, external::freeze, external::unfreeze, external::restart}) {
      assertThatIllegalStateException()
          .isThrownBy(hurt::run)
          .withMessageContaining("POSTGRES_URL points to: it is not ours");
    }
    external.stop();
    external.close();
    assertThat(query(server.jdbcUrl(), "SELECT 1")).isEqualTo("1");
  }

  @Test
  void aServerFromTheEnvironmentMustAnswer() {
    PostgresServer absent =
        PostgresServer.external("jdbc:postgresql://127.0.0.1:" + FreePort.find() + "/x?user=u");
    assertThatThrownBy(absent::start)
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("does not answer");
    assertThatThrownBy(() -> PostgresServer.external("postgresql://localhost/x"))
        .isInstanceOf(ServerException.class)
        .hasMessageContaining("jdbc:postgresql://host:port/database");
  }

  @Test
  void userAndPasswordAreReadFromTheUrl() {
    PostgresServer external =
        PostgresServer.external("jdbc:postgresql://db:5432/x?user=app&password=a%26b&ssl=true");
    assertThat(external.user()).isEqualTo("app");
    assertThat(external.password()).isEqualTo("a&b");
    assertThat(external.jdbcUrl("y"))
        .isEqualTo("jdbc:postgresql://db:5432/y?user=app&password=a%26b&ssl=true");
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String query(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      return query(statement, sql);
    }
  }

  private static String query(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static String unchecked(Statement statement, String sql) {
    try {
      return query(statement, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
