package io.postroad.postgres;

import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OutboxStore;
import io.postroad.tck.Capability;
import io.postroad.tck.StoreFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A table of a team for the TCK: adopted once, emptied for each test. */
abstract class AdoptedFixture implements StoreFixture<Connection> {
  private final TestDatabase database;
  private final Layout layout;
  private final PostgresOptions options;

  AdoptedFixture(AdoptedTables table, Layout layout) throws SQLException {
    this.layout = layout;
    database = TestDatabase.empty("tck_adopted");
    database.execute(table.ddl());
    options = database.options().withPrefix("postroad_").withStreams(true);
    PostgresCompetingStore.open(database.pool(), options.withSchemaMode(SchemaMode.MIGRATE), layout)
        .close();
  }

  /** The payment outbox's table: ids as text, times without a zone, NOT NULL nearly everywhere. */
  public static final class OfPaymentOutbox extends AdoptedFixture {
    public OfPaymentOutbox() throws SQLException {
      super(AdoptedTables.PAYMENT_OUTBOX, AdoptedTables.PAYMENT_OUTBOX.layout());
    }
  }

  /** The advert market's table, without its second of waiting: numbers as ids, a claim's status. */
  public static final class OfAdvertMarket extends AdoptedFixture {
    public OfAdvertMarket() throws SQLException {
      super(
          AdoptedTables.ADVERT_MARKET,
          AdoptedTables.ADVERT_MARKET.layout().withMinAge(Duration.ZERO));
    }
  }

  @Override
  public String name() {
    return "postgres-" + layout.name();
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.copyOf(lacks().keySet()));
  }

  @Override
  public Map<Capability, String> lacks() {
    Map<Capability, String> lacks = new EnumMap<>(Capability.class);
    lacks.put(Capability.RECOVERY, "of ordered stores only");
    lacks.put(Capability.COMMANDS, "commands have a table of their own");
    lacks.put(Capability.PROCESSES, "processes have tables of their own");
    lacks.put(Capability.SCHEMA, "the table is the team's; AdoptedSchemaTest has what is added");
    if (layout.column(Field.DEDUPLICATION_KEY).isPresent()) {
      lacks.put(Capability.EXPIRING_KEYS, "the table keeps a key for as long as its message");
    } else {
      lacks.put(Capability.LONG_TEXTS, "its columns have lengths; what does not fit is refused");
    }
    return lacks;
  }

  @Override
  public OutboxStore<Connection> open() throws SQLException {
    database.execute(
        "TRUNCATE %s, postroad_outbox_dedup, postroad_outbox_pause, postroad_outbox_audit,"
                .formatted(layout.table())
            + " postroad_inbox, postroad_inbox_waiting; UPDATE test_clock SET ahead = '0'");
    return openAnother();
  }

  private OutboxStore<Connection> openAnother() {
    return PostgresCompetingStore.open(database.pool(), options, layout);
  }

  @Override
  public OutboxStore<Connection> openAnother(OutboxStore<Connection> first) {
    return openAnother();
  }

  @Override
  public InboxStore<Connection> openInbox(OutboxStore<Connection> store) {
    return PostgresInboxStore.open(database.pool(), options);
  }

  @Override
  public void advance(Duration by) throws SQLException {
    database.advance(by);
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
  public Connection notATransaction(OutboxStore<Connection> store) throws SQLException {
    return database.pool().getConnection();
  }

  @Override
  public void release(Connection notATransaction) throws SQLException {
    notATransaction.close();
  }

  @Override
  public AutoCloseable holdRow(OutboxStore<Connection> store, UUID id) throws SQLException {
    Connection holder = begin(store);
    String column = layout.name().equals("advert-market") ? "postroad_id" : "id";
    try (PreparedStatement lock =
        holder.prepareStatement(
            "SELECT 1 FROM %s WHERE CAST(%s AS text) = ? FOR UPDATE"
                .formatted(layout.table(), column))) {
      lock.setString(1, id.toString());
      lock.executeQuery().close();
    }
    return () -> rollback(holder);
  }

  @Override
  public void close() {
    database.close();
  }
}
