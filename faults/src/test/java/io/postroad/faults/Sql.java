package io.postroad.faults;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Questions to a database, each over a connection of its own: believes no pool and no store. None
 * waits for ever.
 */
record Sql(String jdbcUrl) {

  Connection connect() throws SQLException {
    Properties limits = new Properties();
    limits.setProperty("options", "-c statement_timeout=60s");
    return DriverManager.getConnection(jdbcUrl, limits);
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String query) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getLong(1);
    }
  }

  Set<UUID> ids(String query) throws SQLException {
    Set<UUID> ids = new HashSet<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        ids.add(result.getObject(1, UUID.class));
      }
    }
    return ids;
  }

  /** Every row as text, by column. */
  List<Map<String, String>> rows(String query) throws SQLException {
    List<Map<String, String>> rows = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        rows.add(row(result));
      }
    }
    return rows;
  }

  private static Map<String, String> row(ResultSet result) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    Map<String, String> row = new TreeMap<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      @Nullable String value = result.getString(i);
      row.put(columns.getColumnName(i), value == null ? "NULL" : value);
    }
    return row;
  }
}
