package io.postroad.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

record PostgresAddress(String jdbcUrl) implements DatabaseAddress, HandlerDatabase {

  @Override
  public String text() {
    return jdbcUrl;
  }

  @Override
  public OpenOutbox<Connection> open(StoreKind kind, String application, StopPoints points) {
    HikariDataSource pool = Pools.open(jdbcUrl, application);
    return new OpenOutbox<>(store(kind, points.watching(pool), PostgresOptions.defaults()), pool);
  }

  /** Opens an outbox and makes its schema. */
  OpenOutbox<Connection> create(StoreKind kind) {
    HikariDataSource pool = Pools.open(jdbcUrl, "scene");
    PostgresOptions options = PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE);
    return new OpenOutbox<>(store(kind, pool, options), pool);
  }

  @Override
  public OpenInbox<Connection> openInbox(String application, SchemaMode mode) throws SQLException {
    HikariDataSource pool = Pools.open(jdbcUrl, application);
    PostgresOptions options = PostgresOptions.defaults().withSchemaMode(mode);
    return new OpenInbox<>(
        PostgresInboxStore.open(pool, options),
        PostgresOrderedStore.open(pool, options.withPrefix(OpenInbox.RETRY_PREFIX)),
        effects(mode),
        pool);
  }

  @Override
  public OpenCommands<Connection> openCommands(String application, SchemaMode mode)
      throws SQLException {
    HikariDataSource pool = Pools.open(jdbcUrl, application);
    PostgresOptions options = PostgresOptions.defaults().withSchemaMode(mode);
    return new OpenCommands<>(
        PostgresCommandStore.open(pool, options),
        PostgresOrderedStore.open(pool, options),
        effects(mode),
        pool);
  }

  @Override
  public OpenProcesses<Connection> openProcesses(String application, SchemaMode mode)
      throws SQLException {
    OpenCommands<Connection> commands = openCommands(application, mode);
    return new OpenProcesses<>(
        PostgresProcessStore.open(
            (DataSource) commands.connections(), PostgresOptions.defaults().withSchemaMode(mode)),
        commands);
  }

  @Override
  public OpenStreams<Connection> openStreams(String application, SchemaMode mode)
      throws SQLException {
    HikariDataSource pool = Pools.open(jdbcUrl, application);
    PostgresOptions options = PostgresOptions.defaults().withSchemaMode(mode).withStreams(true);
    return new OpenStreams<>(PostgresCompetingStore.open(pool, options), effects(mode), pool);
  }

  private SqlEffects effects(SchemaMode mode) throws SQLException {
    SqlEffects effects = new SqlEffects(new Sql(jdbcUrl));
    if (mode == SchemaMode.MIGRATE) {
      effects.create();
    }
    return effects;
  }

  private static OutboxStore<Connection> store(
      StoreKind kind, DataSource dataSource, PostgresOptions options) {
    return switch (kind) {
      case COMPETING -> PostgresCompetingStore.open(dataSource, options);
      case ORDERED -> PostgresOrderedStore.open(dataSource, options);
    };
  }
}
