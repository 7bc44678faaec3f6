package io.postroad.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** What a drain does with the rows of one batch, in a transaction of its own. */
@FunctionalInterface
interface DrainStep {
  int TIMEOUT_SECONDS = 60;

  DrainTally run(Connection connection, List<String> ids) throws SQLException;

  /** Begins the transaction as the drain needs it, whatever the pool's connections are set to. */
  static void begin(Connection connection, String mode) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TRANSACTION ISOLATION LEVEL " + mode);
    }
  }

  static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setQueryTimeout(TIMEOUT_SECONDS);
    return statement;
  }
}
