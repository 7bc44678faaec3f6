package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.postgres.internal.admin.AsideSql;
import io.postroad.postgres.internal.admin.Audit;
import io.postroad.postgres.internal.admin.DeadLetterReader;
import io.postroad.postgres.internal.admin.DeadLetterSql;
import io.postroad.postgres.internal.admin.DeadLetters;
import io.postroad.postgres.internal.admin.Decisions;
import io.postroad.postgres.internal.admin.Examiner;
import io.postroad.postgres.internal.admin.InspectSql;
import io.postroad.postgres.internal.admin.Inspector;
import io.postroad.postgres.internal.admin.LogDeadLetterSql;
import io.postroad.postgres.internal.admin.LogDeadLetters;
import io.postroad.postgres.internal.admin.ParkedKeySql;
import io.postroad.postgres.internal.admin.ParkedKeys;
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
import io.postroad.postgres.internal.log.DurableReads;
import io.postroad.postgres.internal.log.HeldMessages;
import io.postroad.postgres.internal.log.HeldSql;
import io.postroad.postgres.internal.log.LaneSql;
import io.postroad.postgres.internal.log.Lanes;
import io.postroad.postgres.internal.log.LogAside;
import io.postroad.postgres.internal.log.LogCursor;
import io.postroad.postgres.internal.log.LogInsert;
import io.postroad.postgres.internal.log.LogLocks;
import io.postroad.postgres.internal.log.LogPosition;
import io.postroad.postgres.internal.log.LogReader;
import io.postroad.postgres.internal.log.LogRotation;
import io.postroad.postgres.internal.log.LogSql;
import io.postroad.postgres.internal.log.LogTables;
import io.postroad.postgres.internal.log.RotationSql;
import io.postroad.postgres.internal.log.Schedule;
import io.postroad.postgres.internal.queue.OutboxSql;
import io.postroad.schema.SchemaException;
import io.postroad.spi.Claim;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneBoard;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.PauseStore;
import io.postroad.spi.Settlement;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.NodeWakeUps;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.Decision;
import io.postroad.store.Finding;
import io.postroad.store.OrderKey;
import io.postroad.store.Parked;
import io.postroad.store.ParkedKey;
import io.postroad.store.PurgeResult;
import io.postroad.store.SetAside;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
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
 * <p>A row of the log that someone has edited into something that is no message is made a dead
 * letter when it is read; its key is not held back by it.
 *
 * <p>Space is freed by emptying whole tables. An id that was stored by another call is not noticed,
 * except among scheduled messages.
 */
public final class PostgresOrderedStore implements OrderedStore<Connection> {
  private final int lanes;
  private final JdbcTransactions transactions;
  private final NodeWakeUps wakeUps;
  private final Appender appender;
  private final KeyLocks locks;
  private final Lanes owners;
  private final LogReader reader;
  private final LogCursor cursor;
  private final HeldMessages held;
  private final LogAside aside;
  private final Schedule schedule;
  private final LogRotation rotation;
  private final Inspector inspector;
  private final DeadLetters deadLetters;
  private final Examiner examiner;
  private final ParkedKeys parkedKeys;
  private final Pauses pauses;
  private final StoredIds storedIds;

  private PostgresOrderedStore(
      DataSource dataSource, PostgresOptions options, InstantSource clock) {
    Database database = new Database(dataSource, options.statementTimeout());
    storedIds = StoredIds.ofLog(options);
    OutboxSql outboxSql = new OutboxSql(options);
    LogSql logSql = new LogSql(options);
    HeldSql heldSql = new HeldSql(options);
    LogTables tables = new LogTables(options.logRotation(), clock);
    lanes = options.lanes();
    transactions = new JdbcTransactions(dataSource);
    wakeUps = NotifyChannel.wakeUps(database, options);
    appender =
        new Appender(
            new DedupKeys(new AppendSql(options)), new LogInsert(logSql, tables, options.lanes()));
    locks = new KeyLocks(logSql, options);
    RotationSql rotationSql = new RotationSql(options);
    owners = new Lanes(database, new LaneSql(options), new LogLocks(database, rotationSql));
    held = new HeldMessages(database, heldSql);
    AsideSql asideSql = AsideSql.ofLog(options);
    aside = new LogAside(database, asideSql);
    reader = new LogReader(database, logSql, held, new DurableReads(database, options));
    cursor = new LogCursor(database, logSql);
    schedule = new Schedule(database, heldSql, tables);
    rotation =
        new LogRotation(database, rotationSql, tables, new KeyPurger(database, outboxSql), options);
    inspector =
        new Inspector(
            database, Inspector.Statements.ofLog(new InspectSql(options), asideSql, outboxSql));
    Audit audit = new Audit(database, options);
    Decisions decisions = new Decisions(database, audit, wakeUps, options);
    DeadLetterSql letterSql = DeadLetterSql.ofLog(options);
    LogDeadLetters letters =
        new LogDeadLetters(database, inspector, letterSql, new LogDeadLetterSql(options));
    examiner =
        Examiner.ofLog(
            database,
            new PostgresSchema(dataSource, options.withStreams(false)),
            options,
            rotation);
    deadLetters =
        new DeadLetters(new DeadLetterReader(database, letterSql), letters, decisions, audit);
    pauses = new Pauses(database, decisions, options);
    parkedKeys = new ParkedKeys(database, new ParkedKeySql(options), letters, decisions);
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
    int stored = store.owners.count();
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
  public int lanes() {
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
  public LaneBoard attend(String node, Duration seenFor) {
    return owners.attend(node, seenFor);
  }

  @Override
  public void leave(String node) {
    owners.leave(node);
  }

  @Override
  public Optional<LaneLease> take(int lane, String node, Duration leaseFor) {
    return owners.take(lane, node, leaseFor);
  }

  @Override
  public void renew(LaneLease lease, Duration leaseFor) {
    owners.renew(lease, leaseFor);
  }

  @Override
  public void release(LaneLease lease) {
    owners.release(lease);
  }

  @Override
  public LaneBatch read(LaneLease lease, LanePosition after, int limit) {
    return reader.read(lease, ours(after), limit);
  }

  @Override
  public void advance(LaneLease lease, LanePosition upTo, List<Settlement> settlements) {
    if (settlements.isEmpty()) {
      cursor.advance(lease, ours(upTo));
    } else {
      held.hold(lease, ours(upTo), settlements);
    }
  }

  @Override
  public Set<OrderKey> heldKeys(LaneLease lease) {
    return held.keys(lease);
  }

  @Override
  public boolean isHeld(OrderKey key) {
    return held.isHeld(key.lane(lanes), key);
  }

  @Override
  public List<Claim> takeHeld(LaneLease lease, int limit) {
    return held.take(lease, limit);
  }

  @Override
  public Set<OrderKey> settleHeld(LaneLease lease, Collection<Settlement> settlements) {
    return held.settle(lease, settlements);
  }

  @Override
  public Set<String> destinationsAside(LaneLease lease) {
    return aside.destinations(lease);
  }

  @Override
  public Set<OrderKey> open(LaneLease lease, String destination, int limit) {
    return aside.open(lease, destination, limit);
  }

  @Override
  public long decisions(LaneLease lease) {
    return parkedKeys.decisions(lease);
  }

  @Override
  public List<ParkedKey> parkedKeys(Optional<OrderKey> after, int limit) {
    return parkedKeys.list(after, limit);
  }

  @Override
  public Parked parked() {
    return parkedKeys.count();
  }

  @Override
  public boolean release(OrderKey key, Decision decision) {
    return parkedKeys.release(key, key.lane(lanes), decision);
  }

  @Override
  public Set<UUID> skip(Collection<UUID> ids, Decision decision) {
    return parkedKeys.skip(ids, decision);
  }

  @Override
  public int admitDue(LaneLease lease, int limit) {
    return schedule.admitDue(lease, limit);
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
    return examiner.examine();
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
  public List<SetAside> setAside() {
    return inspector.setAside();
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

  private static LogPosition ours(LanePosition position) {
    if (position instanceof LogPosition known) {
      return known;
    }
    throw new IllegalArgumentException(
        "a position of another store cannot be used here: " + position);
  }
}
