package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.postgres.internal.admin.Audit;
import io.postroad.postgres.internal.admin.BlockedDestinationSql;
import io.postroad.postgres.internal.admin.BlockedKeys;
import io.postroad.postgres.internal.admin.DeadLetterReader;
import io.postroad.postgres.internal.admin.DeadLetterSql;
import io.postroad.postgres.internal.admin.DeadLetters;
import io.postroad.postgres.internal.admin.Decisions;
import io.postroad.postgres.internal.admin.Diagnostics;
import io.postroad.postgres.internal.admin.InspectSql;
import io.postroad.postgres.internal.admin.Inspector;
import io.postroad.postgres.internal.admin.LogDeadLetterSql;
import io.postroad.postgres.internal.admin.LogDeadLetters;
import io.postroad.postgres.internal.admin.Pauses;
import io.postroad.postgres.internal.append.AppendSql;
import io.postroad.postgres.internal.append.Appender;
import io.postroad.postgres.internal.append.DedupKeys;
import io.postroad.postgres.internal.append.KeyLocks;
import io.postroad.postgres.internal.append.KeyPurger;
import io.postroad.postgres.internal.append.StoredIds;
import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.JdbcTransactions;
import io.postroad.postgres.internal.jdbc.NotifyChannel;
import io.postroad.postgres.internal.jdbc.ServerCheck;
import io.postroad.postgres.internal.log.BlockedMessages;
import io.postroad.postgres.internal.log.DurableReads;
import io.postroad.postgres.internal.log.LaneLog;
import io.postroad.postgres.internal.log.Lanes;
import io.postroad.postgres.internal.log.LogInsert;
import io.postroad.postgres.internal.log.LogLocks;
import io.postroad.postgres.internal.log.LogRotation;
import io.postroad.postgres.internal.log.LogSql;
import io.postroad.postgres.internal.log.LogTables;
import io.postroad.postgres.internal.log.RotationSql;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.schema.SchemaException;
import io.postroad.spi.BlockedKeyStore;
import io.postroad.spi.BlockedMessageStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneStore;
import io.postroad.spi.LogStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.PauseStore;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.NodeWakeUps;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.Finding;
import io.postroad.store.OrderKey;
import io.postroad.store.PurgeResult;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The outbox in PostgreSQL that keeps the order of each key: a log that is only inserted into, read
 * by the owner of each lane. Delivered messages are not touched one by one; what is written is how
 * far the lane came.
 *
 * <p>Safe to use from many threads. {@link #append} joins the transaction of the connection it is
 * given and is one round trip (two or three with deduplication keys). Every other verb borrows a
 * connection from the DataSource and commits; run it on READ COMMITTED, which is PostgreSQL's
 * default. A crash of this process leaves its lanes to be taken when their leases end. A crash of
 * the database may forget how far a lane came in the last moments, so that those messages are
 * delivered once more; the owner has lost the lane then and takes it anew.
 *
 * <p>A row of the log that was edited into an invalid message is made a dead letter when it is
 * read; its key is not held back by it.
 *
 * <p>Space is freed by emptying whole tables. An id that was stored by another call is not noticed,
 * except among scheduled messages.
 */
public final class PostgresOrderedStore implements OrderedStore<Connection> {
  private final JdbcTransactions transactions;
  private final NodeWakeUps wakeUps;
  private final Appender appender;
  private final KeyLocks locks;
  private final Lanes lanes;
  private final LaneLog log;
  private final BlockedMessages blockedMessages;
  private final LogRotation rotation;
  private final Inspector inspector;
  private final DeadLetters deadLetters;
  private final Diagnostics diagnostics;
  private final BlockedKeys blockedKeys;
  private final Pauses pauses;
  private final StoredIds storedIds;

  private PostgresOrderedStore(
      DataSource dataSource, PostgresOptions options, InstantSource clock) {
    Database database = new Database(dataSource, options.statementTimeout());
    storedIds = StoredIds.ofLog(options);
    OutboxSql outboxSql = new OutboxSql(options);
    LogSql logSql = new LogSql(options);
    LogTables tables = new LogTables(options.logRotation(), clock);
    transactions = new JdbcTransactions(dataSource);
    wakeUps = NotifyChannel.wakeUps(database, options);
    appender =
        new Appender(
            new DedupKeys(new AppendSql(options)), new LogInsert(logSql, tables, options.lanes()));
    locks = new KeyLocks(logSql, options);
    RotationSql rotationSql = new RotationSql(options);
    lanes = new Lanes(database, options, new LogLocks(database, rotationSql));
    blockedMessages = new BlockedMessages(database, options);
    DurableReads durable = new DurableReads(database, options);
    log = new LaneLog(database, logSql, blockedMessages, durable, tables);
    rotation =
        new LogRotation(database, rotationSql, tables, new KeyPurger(database, outboxSql), options);
    inspector =
        new Inspector(
            database,
            Inspector.Statements.ofLog(
                new InspectSql(options), BlockedDestinationSql.ofLog(options), outboxSql));
    Audit audit = new Audit(database, options);
    Decisions decisions = new Decisions(database, audit, wakeUps, options);
    DeadLetterSql letterSql = DeadLetterSql.ofLog(options);
    LogDeadLetters letters =
        new LogDeadLetters(database, inspector, letterSql, new LogDeadLetterSql(options));
    diagnostics =
        Diagnostics.ofLog(
            database,
            new PostgresSchema(dataSource, options.withStreams(false)),
            options,
            rotation);
    deadLetters =
        new DeadLetters(new DeadLetterReader(database, letterSql), letters, decisions, audit);
    pauses = new Pauses(database, decisions, options);
    blockedKeys = new BlockedKeys(database, options, letters, decisions);
  }

  /**
   * Opens the outbox in this database.
   *
   * @param dataSource a pool, or anything else that makes connections to one PostgreSQL primary; it
   *     stays the caller's
   * @throws SchemaException when the schema does not fit, or has another number of lanes
   * @throws io.postroad.message.PostroadException when the server cannot be used: too old, a
   *     read-only replica, not reachable
   */
  public static PostgresOrderedStore open(DataSource dataSource, PostgresOptions options) {
    return open(dataSource, options, InstantSource.system());
  }

  /**
   * @param clock decides which table of the log is written
   */
  public static PostgresOrderedStore open(
      DataSource dataSource, PostgresOptions options, InstantSource clock) {
    ServerCheck.runTogether(dataSource);
    PostgresSchema schema = new PostgresSchema(dataSource, options.withStreams(false));
    options.schemaMode().apply(schema);
    PostgresOrderedStore store = new PostgresOrderedStore(dataSource, options, clock);
    int stored = store.lanes.storedCount();
    if (stored != options.lanes()) {
      throw new SchemaException(
          "PostgresOptions.lanes is %d, but the outbox in schema \"%s\" was set up with %d lanes;"
                  .formatted(options.lanes(), options.schema(), stored)
              + " set it to %d, because a key's lane depends on their number".formatted(stored),
          schema.requiredVersion(),
          schema.installedVersion());
    }
    return store;
  }

  /**
   * Tells which of these messages the outbox has or had, delivered ones included. Reads on the
   * connection of the caller and changes nothing.
   */
  public Set<UUID> storedAmong(Connection connection, List<UUID> ids) throws SQLException {
    return storedIds.among(connection, ids);
  }

  @Override
  public String name() {
    return "postgres-ordered";
  }

  @Override
  public LaneStore lanes() {
    return lanes;
  }

  @Override
  public Transactions<Connection> transactions() {
    return transactions;
  }

  @Override
  public WakeUps wakeUps() {
    return wakeUps;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A message id that comes twice, or is that of a scheduled message, is a {@link
   * io.postroad.message.PostroadException} that names it; nothing of the call is written then and
   * the transaction stays usable. After an error of the database itself it must be rolled back, as
   * PostgreSQL wants it.
   */
  @Override
  public List<AppendResult> append(
      Connection transaction, List<Message> messages, Duration deduplicateFor) {
    return appender.append(transaction, messages, deduplicateFor);
  }

  @Override
  public void lockKeys(Connection transaction, Set<OrderKey> keys) {
    locks.lock(transaction, keys);
  }

  @Override
  public LogStore log() {
    return log;
  }

  @Override
  public BlockedMessageStore blockedMessages() {
    return blockedMessages;
  }

  @Override
  public BlockedKeyStore blockedKeys() {
    return blockedKeys;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Messages go by whole tables: when all of a table's are delivered, and the newest was
   * appended longer than {@code olderThan} ago.
   *
   * @throws IllegalArgumentException when {@code olderThan} is more than one and a half times
   *     {@link PostgresOptions#logRotation()}
   */
  @Override
  public PurgeResult purge(Duration olderThan, int limit) {
    return rotation.purge(olderThan, limit);
  }

  @Override
  public Optional<StoredMessage> find(UUID id) {
    return inspector.find(id);
  }

  @Override
  public List<Finding> examine() {
    return diagnostics.examine();
  }

  @Override
  public DeadLetterStore deadLetters() {
    return deadLetters;
  }

  @Override
  public PauseStore pauses() {
    return pauses;
  }

  @Override
  public List<BlockedDestination> blocked() {
    return inspector.blocked();
  }

  @Override
  public Backlog backlog() {
    return inspector.backlog();
  }

  @Override
  public Instant now() {
    return inspector.now();
  }

  @Override
  public void close() {
    wakeUps.close();
  }
}
