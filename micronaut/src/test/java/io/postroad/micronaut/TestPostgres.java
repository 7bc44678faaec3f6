package io.postroad.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.postgres.PostgresOptions;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** A fresh database on the shared server, with a pool and transactions of Micronaut. */
final class TestPostgres implements AutoCloseable {
  private final String url;
  private final ApplicationContext context;

  TestPostgres(String name) {
    this(PostgresServer.shared().createDatabase(name), 25);
  }

  TestPostgres(String url, int connections) {
    this.url = url;
    this.context =
        ApplicationContext.run(
            Map.of(
                "postroad.enabled",
                "false",
                "datasources.default.url",
                url,
                "datasources.default.minimum-idle",
                0,
                "datasources.default.connection-timeout",
                10_000,
                "datasources.default.maximum-pool-size",
                connections));
  }

  String url() {
    return url;
  }

  /** As it was before Micronaut put its transactions around it. */
  DataSource pool() {
    return DelegatingDataSource.unwrapDataSource(context.getBean(DataSource.class));
  }

  @SuppressWarnings("unchecked")
  TransactionOperations<Connection> operations() {
    return context.getBean(Argument.of(TransactionOperations.class, Connection.class));
  }

  PostgresOptions options() {
    return PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE);
  }

  void execute(String sql) {
    execute(url, sql);
  }

  static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  /** Returns the first column of a query, as another transaction sees it. */
  List<String> seen(String sql) {
    return seen(url, sql);
  }

  static List<String> seen(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> seen = new ArrayList<>();
      while (rows.next()) {
        seen.add(rows.getString(1));
      }
      return seen;
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
