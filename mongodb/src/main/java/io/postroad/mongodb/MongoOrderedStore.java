package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.admin.AuditTrail;
import io.postroad.mongodb.internal.admin.BlockedDecisions;
import io.postroad.mongodb.internal.admin.BlockedKeys;
import io.postroad.mongodb.internal.admin.Diagnostics;
import io.postroad.mongodb.internal.admin.LogDeadLetters;
import io.postroad.mongodb.internal.admin.LogInspector;
import io.postroad.mongodb.internal.admin.Pauses;
import io.postroad.mongodb.internal.append.Appender;
import io.postroad.mongodb.internal.append.DedupKeys;
import io.postroad.mongodb.internal.append.KeyLocks;
import io.postroad.mongodb.internal.append.KeyPurger;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.ServerCheck;
import io.postroad.mongodb.internal.client.SignalDocument;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.mongodb.internal.client.TransactionCheck;
import io.postroad.mongodb.internal.log.BlockedLines;
import io.postroad.mongodb.internal.log.BlockedMessages;
import io.postroad.mongodb.internal.log.Blocker;
import io.postroad.mongodb.internal.log.Fence;
import io.postroad.mongodb.internal.log.GapCloser;
import io.postroad.mongodb.internal.log.LaneDecisions;
import io.postroad.mongodb.internal.log.LaneLog;
import io.postroad.mongodb.internal.log.Lanes;
import io.postroad.mongodb.internal.log.LogInsert;
import io.postroad.mongodb.internal.log.LogPurger;
import io.postroad.mongodb.internal.log.Schedule;
import io.postroad.mongodb.internal.log.SequenceNumbers;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The outbox in MongoDB that keeps the order of each key: a log that is only inserted into, read by
 * the owner of each lane. Delivered messages are not touched one by one; what is written is how far
 * the lane came.
 *
 * <p>Safe to use from many threads. {@link #append} joins the transaction of the session it is
 * given: one raise of the lane's counter outside of it, shared with other transactions that append
 * at the same time, and one insert. Every other verb uses sessions of its own. Needs a replica set,
 * whatever the transaction mode.
 *
 * <p>A crash of this process leaves its lanes to be taken when their leases end. A crash of the
 * primary, or an election, may forget how far a lane came in the last moments, so that those
 * messages are delivered once more; it forgets no message that was read, because only what a
 * majority has is read. A transaction whose append met an election fails with the label that lets
 * it run again.
 *
 * <p>An id that was stored by another call is not noticed, except among scheduled messages.
 */
public final class MongoOrderedStore implements OrderedStore<ClientSession> {
  private final Database database;
  private final MongoTransactions transactions;
  private final NodeWakeUps wakeUps;
  private final Appender appender;
  private final KeyLocks locks;
  private final Lanes lanes;
  private final GapCloser closer;
  private final LaneLog log;
  private final BlockedMessages blockedMessages;
  private final Pauses pauses;
  private final BlockedKeys blockedKeys;
  private final LogDeadLetters deadLetters;
  private final LogPurger purger;
  private final KeyPurger keyPurger;
  private final LogInspector inspector;
  private final Diagnostics examiner;

  private MongoOrderedStore(Database database, MongoOptions options, Duration closeAfter) {
    MongoClient client = database.client();
    TransactionCheck check = TransactionCheck.of(client, options);
    Snapshots snapshots = new Snapshots(client);
    Fence fence = new Fence(database);
    LogInsert insert = new LogInsert(database, new SequenceNumbers(database));
    // Of its own, so that a verb never joins a unit that its caller is in.
    MongoTransactions own = new MongoTransactions(client, options);
    this.database = database;
    this.transactions = new MongoTransactions(client, options);
    this.wakeUps = SignalDocument.wakeUps(database);
    this.appender = new Appender(check, new DedupKeys(database), insert, null);
    this.locks = new KeyLocks(database, check);
    this.lanes = new Lanes(database);
    this.closer = new GapCloser(database, fence, closeAfter);
    BlockedLines keys = new BlockedLines(database, snapshots, fence);
    this.blockedMessages = new BlockedMessages(database, snapshots, own, fence, keys);
    Schedule schedule = new Schedule(database, snapshots, own, fence, insert);
    Blocker holder = new Blocker(database, own, fence);
    this.log = new LaneLog(database, snapshots, fence, holder, closer, schedule);
    this.purger = new LogPurger(database, snapshots, lanes);
    this.keyPurger = new KeyPurger(database);
    this.inspector = new LogInspector(database, own, lanes);
    this.examiner = new Diagnostics(database, lanes::examine);
    AuditTrail audit = new AuditTrail(database);
    this.pauses = new Pauses(database, own, audit, wakeUps);
    BlockedDecisions decisions =
        new BlockedDecisions(database, own, new LaneDecisions(database), keys, audit, wakeUps);
    this.blockedKeys = new BlockedKeys(database, snapshots, keys, decisions);
    this.deadLetters = new LogDeadLetters(database, snapshots, keys, decisions, audit, inspector);
  }

  /**
   * Opens the outbox in this database.
   *
   * @param client stays the caller's
   * @throws SchemaException when the schema does not fit, or has another number of lanes
   * @throws PostroadException when the server cannot be used: standalone, too old, not reachable
   */
  public static MongoOrderedStore open(MongoClient client, MongoOptions options) {
    return open(client, options, () -> 0, GapCloser.PATIENCE);
  }

  /**
   * @param aheadMillis how far the database's clock was moved
   * @param closeAfter for how long a sequence number is missing before it is closed
   */
  static MongoOrderedStore open(
      MongoClient client, MongoOptions options, LongSupplier aheadMillis, Duration closeAfter) {
    if (options.transactionMode() == MongoOptions.TransactionMode.NONE) {
      throw new PostroadException(
          "MongoOrderedStore needs transactions, but MongoOptions.transactionMode is NONE: without"
              + " them the order of a key cannot be kept. Run MongoDB as a replica set (of one:"
              + " --replSet and rs.initiate()), or use MongoCompetingStore");
    }
    ServerCheck.run(client, options);
    Database database = new Database(client, options, aheadMillis);
    MongoSchema schema = new MongoSchema(client, options);
    options.schemaMode().apply(schema);
    MongoOrderedStore store = new MongoOrderedStore(database, options, closeAfter);
    int stored = store.lanes.storedCount();
    if (stored != options.lanes()) {
      store.close();
      throw new SchemaException(
          "MongoOptions.lanes is %d, but the outbox in database \"%s\" was set up with %d lanes;"
                  .formatted(options.lanes(), options.database(), stored)
              + " set it to %d, because a key's lane depends on their number".formatted(stored),
          schema.requiredVersion(),
          schema.installedVersion());
    }
    return store;
  }

  @Override
  public String name() {
    return "mongodb-ordered";
  }

  @Override
  public LaneStore lanes() {
    return lanes;
  }

  @Override
  public Transactions<ClientSession> transactions() {
    return transactions;
  }

  @Override
  public WakeUps wakeUps() {
    return wakeUps;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A message id that comes twice is a {@link PostroadException} that names it, and the
   * transaction stays usable. After an error of the database itself, and after the id of a message
   * that is scheduled already, MongoDB has ended the transaction. An error with the driver's label
   * {@code TransientTransactionError} means: run the transaction again.
   */
  @Override
  public List<AppendResult> append(
      ClientSession transaction, List<Message> messages, Duration deduplicateFor) {
    return appender.append(transaction, messages, deduplicateFor);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Lock first: as the first thing that a transaction does it waits. Later in a transaction, a
   * key that another one has locked, or had since this one began, ends this one with an error that
   * asks to run it again; {@link #transactions()} and the driver's {@code withTransaction} do.
   */
  @Override
  public void lockKeys(ClientSession transaction, Set<OrderKey> keys) {
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
   * <p>Messages go in the order of their places: one that is not delivered, or whose transaction is
   * open, keeps all later ones of its lane. One that was rolled back does so until its place is
   * closed, a few seconds later.
   */
  @Override
  public PurgeResult purge(Duration olderThan, int limit) {
    PurgeResult messages = purger.purge(olderThan, limit);
    boolean moreKeys = keyPurger.purge(limit) >= limit;
    return PurgeResult.removed(messages.messages(), messages.more() || moreKeys);
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
  public List<BlockedDestination> blocked() {
    return blockedMessages.blocked();
  }

  @Override
  public Backlog backlog() {
    return inspector.backlog();
  }

  @Override
  public Instant now() {
    return Database.call("read the database's clock", database.time()::ask);
  }

  @Override
  public void close() {
    closer.close();
    wakeUps.close();
  }
}
