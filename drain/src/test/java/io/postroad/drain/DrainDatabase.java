package io.postroad.drain;

import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresSchema;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A fresh database on the shared server with the tables of Postroad. */
final class DrainDatabase {
  private final String url;
  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();

  private DrainDatabase(String url) {
    this.url = url;
    dataSource.setUrl(url);
  }

  static DrainDatabase create() {
    DrainDatabase database = new DrainDatabase(PostgresServer.shared().createDatabase("drain"));
    new PostgresSchema(database.dataSource, database.options()).migrate();
    return database;
  }

  String url() {
    return url;
  }

  DataSource dataSource() {
    return dataSource;
  }

  PostgresOptions options() {
    return PostgresOptions.defaults();
  }

  PostgresCompetingStore open() {
    return PostgresCompetingStore.open(dataSource, options());
  }

  PostgresOrderedStore openOrdered() {
    return PostgresOrderedStore.open(dataSource, options());
  }

  /** Returns connections of a role with the rights that {@link PostgresSchema#grants} prints. */
  DataSource ofServiceRole() throws SQLException {
    String role = "service_" + value("SELECT current_database()");
    execute("REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE ROLE %s LOGIN".formatted(role));
    execute(new PostgresSchema(dataSource, options()).grants(role));
    PGSimpleDataSource ofRole = new PGSimpleDataSource();
    ofRole.setUrl(url.replaceFirst("([?&]user=)[^&]*", "$1" + role));
    return ofRole;
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  int update(String sql, Object... parameters) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      return statement.executeUpdate();
    }
  }

  /** Returns the rows of a query, each as its columns joined by {@code |}. */
  List<String> rows(String sql, Object... parameters) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, parameters);
      List<String> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          List<String> values = new ArrayList<>();
          for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            values.add(String.valueOf(row.getString(i)));
          }
          rows.add(String.join("|", values));
        }
      }
      return rows;
    }
  }

  /** Returns the only value of a query. */
  String value(String sql, Object... parameters) throws SQLException {
    return rows(sql, parameters).get(0);
  }

  /** Whether a statement in this database waits for a lock. */
  boolean hasLockWait() throws SQLException {
    return !value(
            "SELECT count(*) FROM pg_stat_activity"
                + " WHERE wait_event_type = 'Lock' AND datname = current_database()")
        .equals("0");
  }

  private static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
  }
}
