package io.postroad.adopt;

import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A fresh PostgreSQL database on the shared server, for the tables of a team. */
final class TeamDatabase {
  private final String url;
  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();

  private TeamDatabase(String url) {
    this.url = url;
    dataSource.setUrl(url);
  }

  static TeamDatabase create() {
    return new TeamDatabase(PostgresServer.shared().createDatabase("adopt"));
  }

  String url() {
    return url;
  }

  DataSource dataSource() {
    return dataSource;
  }

  void execute(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns the rows of a query, each as its columns joined by {@code |}. */
  List<String> rows(String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (row.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          values.add(String.valueOf(row.getString(i)));
        }
        rows.add(String.join("|", values));
      }
      return rows;
    }
  }
}
