package io.postroad.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.spi.CommandStore;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.process.ProcessStore;
import io.postroad.tck.Capability;
import io.postroad.tck.SchemaFixture;
import io.postroad.tck.StoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * PostgreSQL for the TCK: one database, emptied for each test, with a clock that can be moved. The
 * stores and their callers have the rights that the schema prints for a service, and no others.
 */
public class PostgresFixture implements StoreFixture<Connection> {
  final TestDatabase database;
  final HikariDataSource service;

  public PostgresFixture() throws SQLException {
    database = TestDatabase.migrated("tck");
    new PostgresSchema(database.pool(), database.options().withStreams(true)).migrate();
    service = database.servicePool();
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.RECOVERY));
  }

  @Override
  public Map<Capability, String> lacks() {
    return Map.of(Capability.RECOVERY, "of ordered stores only");
  }

  @Override
  public OutboxStore<Connection> open() throws SQLException {
    database.reset();
    return PostgresCompetingStore.open(service, database.options().withStreams(true));
  }

  @Override
  public OutboxStore<Connection> openAnother(OutboxStore<Connection> first) {
    return PostgresCompetingStore.open(service, database.options().withStreams(true));
  }

  @Override
  public InboxStore<Connection> openInbox(OutboxStore<Connection> store) {
    return PostgresInboxStore.open(service, database.options());
  }

  @Override
  public CommandStore<Connection> openCommands(OutboxStore<Connection> store) {
    return PostgresCommandStore.open(service, database.options());
  }

  @Override
  public ProcessStore<Connection> openProcesses(OutboxStore<Connection> store) {
    return PostgresProcessStore.open(service, database.options());
  }

  @Override
  public void advance(Duration by) throws SQLException {
    database.advance(by);
  }

  @Override
  public Connection begin(OutboxStore<Connection> store) throws SQLException {
    Connection connection = service.getConnection();
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
    return service.getConnection();
  }

  @Override
  public void release(Connection notATransaction) throws SQLException {
    notATransaction.close();
  }

  @Override
  public AutoCloseable holdRow(OutboxStore<Connection> store, UUID id) throws SQLException {
    Connection holder = begin(store);
    try (PreparedStatement lock =
        holder.prepareStatement("SELECT 1 FROM outbox_queue WHERE outbox_id = ? FOR UPDATE")) {
      lock.setObject(1, id);
      lock.executeQuery().close();
    }
    return () -> rollback(holder);
  }

  @Override
  public SchemaFixture freshSchema() throws SQLException {
    return new PostgresSchemaFixture(TestDatabase.empty("tck_schema"));
  }

  @Override
  public void close() {
    service.close();
    database.close();
  }
}
