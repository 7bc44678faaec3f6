package io.postroad.example.kit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;

/** Reads a database directly, without the application. Used by one thread; each call commits. */
public final class Rows implements AutoCloseable {
  private final Connection connection;

  public Rows(String jdbcUrl) throws SQLException {
    connection = DriverManager.getConnection(jdbcUrl);
  }

  /**
   * @param from a table, with an optional condition
   */
  public long count(String from) throws SQLException {
    return Long.parseLong(strings("SELECT count(*) FROM " + from).iterator().next());
  }

  /** Returns the different values of the first column. */
  public Set<String> strings(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      Set<String> found = new HashSet<>();
      while (result.next()) {
        found.add(result.getString(1));
      }
      return found;
    }
  }

  /** Executes a change behind the application's back. */
  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
