package io.postroad.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PgBouncerTest {

  @Test
  void connectionsBelongToAClientForOneTransactionOnly() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    ServerOptions options = ServerOptions.defaults().withSetting("default_pool_size", "1");
    try (PgBouncer pooler = PgBouncer.started(server, options)) {
      String url = pooler.jdbcUrl(server.createDatabase("pooled"));
      try (Connection first = DriverManager.getConnection(url);
          Connection second = DriverManager.getConnection(url)) {
        String pid = value(first, "SELECT pg_backend_pid()");

        assertThat(value(second, "SELECT pg_backend_pid()")).isEqualTo(pid);
        assertThat(value(second, "SELECT current_user")).isEqualTo(server.user());
        assertThat(value(second, "SELECT current_database()")).startsWith("pooled_");
      }
    }
  }

  @Test
  void aKilledPoolerComesBackOnItsPort() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    try (PgBouncer pooler = PgBouncer.started(server)) {
      String url = pooler.jdbcUrl(server.jdbcUrl());
      pooler.kill();
      assertThatThrownBy(() -> DriverManager.getConnection(url)).isInstanceOf(SQLException.class);

      pooler.start();

      try (Connection again = DriverManager.getConnection(url)) {
        assertThat(again.isValid(10)).isTrue();
      }
      pooler.stop();
    }
  }

  @Test
  void aMissingProgramSaysHowToGetIt(@TempDir Path empty) {
    assertThatThrownBy(() -> LocalPgBouncer.installed(empty.toString(), empty.toString()))
        .isInstanceOf(ServerException.class)
        .hasMessage("pgbouncer is not on the PATH; install it with apt-get install pgbouncer");
  }

  private static String value(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
