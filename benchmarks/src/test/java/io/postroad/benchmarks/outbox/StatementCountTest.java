package io.postroad.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatementCountTest {
  private final StatementCount count = new StatementCount();
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection =
        new JdbcCounter(count)
            .counted(DriverManager.getConnection(PostgresServer.shared().createDatabase("count")));
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @Test
  void everyStatementAndCommitCounts() throws SQLException {
    connection.setAutoCommit(false);
    select();
    try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
      statement.executeQuery().close();
      statement.executeQuery().close();
    }
    connection.commit();

    assertThat(count.total()).isEqualTo(4);
  }

  /** The driver sends no commit if no transaction is open. */
  @Test
  void aCommitThatIsNotSentDoesNotCount() throws SQLException {
    connection.setAutoCommit(false);
    connection.commit();
    assertThat(count.total()).isZero();

    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1; COMMIT");
    }
    connection.commit();
    assertThat(count.total()).isEqualTo(1);
  }

  @Test
  void aBatchCountsWithAllItsStatements() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < 3; i++) {
        statement.addBatch("SET lock_timeout = 0");
      }
      statement.executeBatch();
    }

    assertThat(count.total()).isEqualTo(3);
  }

  @Test
  void statementsOfWritersAreExcluded() throws Exception {
    count.leaveOut(this::select);
    assertThat(count.total()).isZero();

    select();
    assertThat(count.total()).isEqualTo(1);
  }

  @Test
  void errorsArePassedOnUnchanged() {
    assertThatThrownBy(() -> connection.prepareStatement("SELECT nothing").execute())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("nothing");
  }

  private void select() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
    }
  }
}
