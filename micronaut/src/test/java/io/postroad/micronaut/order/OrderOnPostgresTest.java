package io.postroad.micronaut.order;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.postroad.servers.PostgresServer;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class OrderOnPostgresTest extends OrderContract {
  OrderOnPostgresTest() {
    super(start());
  }

  private static ApplicationContext start() {
    String url = PostgresServer.shared().createDatabase("micronaut_order");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String table : List.of("orders", "reservations", "shipments", "audits")) {
        statement.execute("CREATE TABLE %s (id text PRIMARY KEY)".formatted(table));
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
    return ApplicationContext.run(
        Map.of(
            "test.order",
            "postgres",
            "datasources.default.url",
            url,
            "datasources.default.minimum-idle",
            0,
            "datasources.default.maximum-pool-size",
            25,
            "postroad.store.schema-mode",
            "migrate"));
  }

  /** By the connection that Micronaut injects: that of the transaction. */
  @Singleton
  @Requires(property = "test.order", value = "postgres")
  static class Rows implements OrderRows {
    private final Connection connection;
    private final String url;

    Rows(Connection connection, @Value("${datasources.default.url}") String url) {
      this.connection = connection;
      this.url = url;
    }

    @Override
    public void add(String table, String id) {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO %s VALUES (?)".formatted(table))) {
        insert.setString(1, id);
        insert.executeUpdate();
      } catch (SQLException failed) {
        throw new IllegalStateException(failed);
      }
    }

    @Override
    public List<String> ids(String table) {
      return outside("SELECT id FROM " + table);
    }

    @Override
    public long count(String table) {
      return Long.parseLong(outside("SELECT count(*) FROM " + table).get(0));
    }

    private List<String> outside(String sql) {
      try (Connection other = DriverManager.getConnection(url);
          Statement statement = other.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        List<String> seen = new ArrayList<>();
        while (rows.next()) {
          seen.add(rows.getString(1));
        }
        return seen;
      } catch (SQLException failed) {
        throw new IllegalStateException(failed);
      }
    }
  }
}
