package io.postroad.drain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Work of a drain on the rows of one batch, in a transaction of its own. */
@FunctionalInterface
interface DrainStep {
  int TIMEOUT_SECONDS = 60;

  DrainTally run(Connection connection, List<String> ids) throws SQLException;

  static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setQueryTimeout(TIMEOUT_SECONDS);
    return statement;
  }
}
