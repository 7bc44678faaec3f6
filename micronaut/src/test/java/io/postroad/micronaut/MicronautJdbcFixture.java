package io.postroad.micronaut;

import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.PostgresProcessStore;
import io.postroad.postgres.PostgresSchema;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreFixture;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** PostgreSQL for the TCK, in transactions of Micronaut. */
public final class MicronautJdbcFixture implements StoreFixture<Connection> {
  private static final String CLOCK =
      """
      CREATE TABLE test_clock (ahead interval NOT NULL);
      INSERT INTO test_clock VALUES ('0');
      CREATE FUNCTION test_now() RETURNS timestamptz LANGUAGE sql STABLE
        AS 'SELECT statement_timestamp() + (SELECT ahead FROM public.test_clock)';
      """;

  private final TestPostgres database = new TestPostgres("micronaut_tck");
  private PostgresOptions options;

  public MicronautJdbcFixture() {
    database.execute(CLOCK);
    options = database.options().withClock("public.test_now()");
  }

  @Override
  public String name() {
    return "micronaut-jdbc";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.INBOX, Capability.COMMANDS, Capability.PROCESSES);
  }

  private Transactions<Connection> transactions(Transactions<Connection> store) {
    return MicronautJdbcTransactions.of(database.operations(), store);
  }

  @Override
  public OutboxStore<Connection> open() {
    return open(1);
  }

  @Override
  public OutboxStore<Connection> open(int lanes) {
    database.execute("DROP SCHEMA IF EXISTS tck CASCADE; CREATE SCHEMA tck");
    database.execute("UPDATE test_clock SET ahead = '0'");
    options = options.withLanes(lanes).withSchema("tck");
    new PostgresSchema(database.pool(), options).migrate();
    return store();
  }

  private OutboxStore<Connection> store() {
    PostgresOrderedStore store = PostgresOrderedStore.open(database.pool(), options);
    @SuppressWarnings("unchecked")
    OrderedStore<Connection> proxied =
        WithTransactions.proxy(OrderedStore.class, store, transactions(store.transactions()));
    return proxied;
  }

  @Override
  public OutboxStore<Connection> openAnother(OutboxStore<Connection> first) {
    return store();
  }

  @Override
  @SuppressWarnings("unchecked")
  public InboxStore<Connection> openInbox(OutboxStore<Connection> first) {
    PostgresInboxStore store = PostgresInboxStore.open(database.pool(), options);
    return WithTransactions.proxy(InboxStore.class, store, first.transactions());
  }

  @Override
  @SuppressWarnings("unchecked")
  public CommandStore<Connection> openCommands(OutboxStore<Connection> first) {
    PostgresCommandStore store = PostgresCommandStore.open(database.pool(), options);
    return WithTransactions.proxy(CommandStore.class, store, first.transactions());
  }

  @Override
  @SuppressWarnings("unchecked")
  public ProcessStore<Connection> openProcesses(OutboxStore<Connection> first) {
    PostgresProcessStore store = PostgresProcessStore.open(database.pool(), options);
    return WithTransactions.proxy(ProcessStore.class, store, first.transactions());
  }

  @Override
  public void advance(Duration by) {
    database.execute(
        "UPDATE test_clock SET ahead = ahead + %d * INTERVAL '1 microsecond'"
            .formatted(by.toNanos() / 1000));
  }

  @Override
  public Connection begin(OutboxStore<Connection> store) throws SQLException {
    Connection connection = database.pool().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public void commit(Connection transaction) throws SQLException {
    try (transaction) {
      transaction.commit();
    }
  }

  @Override
  public void rollback(Connection transaction) throws SQLException {
    try (transaction) {
      transaction.rollback();
    }
  }

  @Override
  public void rollBackInside(Connection transaction, boolean isGoingOn) throws SQLException {
    try (Statement statement = transaction.createStatement()) {
      statement.execute("ROLLBACK");
    }
  }

  @Override
  public Connection notATransaction(OutboxStore<Connection> store) throws SQLException {
    return database.pool().getConnection();
  }

  @Override
  public void release(Connection notATransaction) throws SQLException {
    notATransaction.close();
  }

  @Override
  public void close() {
    database.close();
  }
}
