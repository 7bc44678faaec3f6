package io.postroad.micrometer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import io.postroad.spi.CommandStore;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.process.ProcessStore;
import java.sql.Connection;

final class PostgresDatabase implements Database<Connection> {
  private final HikariDataSource pool;
  private final OrderedStore<Connection> outbox;
  private final OrderedStore<Connection> retries;
  private final InboxStore<Connection> inbox;
  private final CommandStore<Connection> commands;
  private final ProcessStore<Connection> processes;

  PostgresDatabase(String name) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(PostgresServer.shared().createDatabase(name));
    config.setMaximumPoolSize(20);
    pool = new HikariDataSource(config);
    PostgresOptions options = PostgresOptions.defaults().withSchemaMode(SchemaMode.MIGRATE);
    outbox = PostgresOrderedStore.open(pool, options);
    retries = PostgresOrderedStore.open(pool, options.withPrefix("retry_"));
    inbox = PostgresInboxStore.open(pool, options);
    commands = PostgresCommandStore.open(pool, options);
    processes = PostgresProcessStore.open(pool, options);
  }

  /** A queue of single messages, for workers; its tables have a prefix of their own. */
  CompetingStore<Connection> queue() {
    return PostgresCompetingStore.open(
        pool,
        PostgresOptions.defaults()
            .withSchemaMode(SchemaMode.MIGRATE)
            .withPrefix("queue_")
            .withStreams(true));
  }

  @Override
  public OrderedStore<Connection> outbox() {
    return outbox;
  }

  @Override
  public OrderedStore<Connection> retries() {
    return retries;
  }

  @Override
  public InboxStore<Connection> inbox() {
    return inbox;
  }

  @Override
  public CommandStore<Connection> commands() {
    return commands;
  }

  @Override
  public ProcessStore<Connection> processes() {
    return processes;
  }

  @Override
  public void close() {
    processes.close();
    commands.close();
    inbox.close();
    retries.close();
    outbox.close();
    pool.close();
  }
}
