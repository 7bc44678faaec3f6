package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.postroad.layout.Layout;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.admin.AuditTrail;
import io.postroad.mongodb.internal.admin.DeadLetterBox;
import io.postroad.mongodb.internal.admin.Diagnostics;
import io.postroad.mongodb.internal.admin.Pauses;
import io.postroad.mongodb.internal.admin.QueueDeadLetters;
import io.postroad.mongodb.internal.admin.QueueInspector;
import io.postroad.mongodb.internal.adopt.AdoptedSchema;
import io.postroad.mongodb.internal.append.Appender;
import io.postroad.mongodb.internal.append.DedupKeys;
import io.postroad.mongodb.internal.append.LooseAppend;
import io.postroad.mongodb.internal.append.LooseKeys;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Lease;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerCheck;
import io.postroad.mongodb.internal.client.SignalDocument;
import io.postroad.mongodb.internal.client.TransactionCheck;
import io.postroad.mongodb.internal.queue.BlockedQueue;
import io.postroad.mongodb.internal.queue.Claimer;
import io.postroad.mongodb.internal.queue.Exclusive;
import io.postroad.mongodb.internal.queue.NativeQueue;
import io.postroad.mongodb.internal.queue.Purger;
import io.postroad.mongodb.internal.queue.QueueForm;
import io.postroad.mongodb.internal.queue.QueueInsert;
import io.postroad.mongodb.internal.queue.Settler;
import io.postroad.schema.StoreSchema;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.PauseStore;
import io.postroad.spi.Settlement;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.NodeWakeUps;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.Finding;
import io.postroad.store.PurgeResult;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * The outbox in MongoDB: one document per message, taken by competing workers.
 *
 * <p>Safe to use from many threads. {@link #append} joins the transaction of the session it is
 * given and is one round trip (three more with deduplication keys); {@link #settle(ClientSession,
 * Settlement)} joins it too. Every other verb runs by itself, only {@link #extend} inside a unit of
 * {@link #transactions()} is part of that. A crash of this process leaves claimed messages to be
 * claimed again when their lease ends. A crash or an election of the database may forget the
 * settles of the last moments, so that those messages are delivered once more; it forgets no append
 * and no claim.
 *
 * <p>Appending with a deduplication key waits for a transaction that is appending the same key. A
 * transaction that has read or written before that, and one that loses a race for the key, cannot
 * wait: MongoDB ends it with an error labelled {@code TransientTransactionError}, which passes
 * through unchanged. {@link #transactions()} and the driver's {@code withTransaction} run it again.
 */
public final class MongoCompetingStore implements CompetingStore<ClientSession> {
  private final Database database;
  private final MongoTransactions transactions;
  private final NodeWakeUps wakeUps;
  private final TransactionCheck check;
  private final Appender appender;
  private final Claimer claimer;
  private final Settler settler;
  private final Purger purger;
  private final QueueInspector inspector;
  private final QueueDeadLetters deadLetters;
  private final BlockedQueue aside;
  private final Pauses pauses;
  private final Diagnostics examiner;
  private final Exclusive exclusive;

  private MongoCompetingStore(
      Database database, QueueForm form, StoreSchema schema, Exclusive exclusive) {
    this.exclusive = exclusive;
    this.database = database;
    // Of its own, so that a verb never joins a unit that its caller is in.
    MongoTransactions own = new MongoTransactions(database.client(), database.options());
    DeadLetterBox box = new DeadLetterBox(database, form, own);
    transactions = new MongoTransactions(database.client(), database.options());
    wakeUps = SignalDocument.wakeUps(database);
    check = TransactionCheck.of(database.client(), database.options());
    inspector = new QueueInspector(database, form);
    appender =
        new Appender(
            check,
            new DedupKeys(database),
            new QueueInsert(form, form.callersCollection(database), database.time()),
            new LooseAppend(database, form, new LooseKeys(database, inspector::isStored)));
    settler = new Settler(database, form, box);
    claimer = new Claimer(database, form, settler, exclusive);
    purger = new Purger(database, form, box);
    examiner = new Diagnostics(database, schema, inspector::expiredLeases);
    AuditTrail audit = new AuditTrail(database);
    deadLetters = new QueueDeadLetters(database, form, own, box, audit, wakeUps);
    aside = new BlockedQueue(database, form);
    pauses = new Pauses(database, own, audit, wakeUps);
  }

  /**
   * Opens the outbox in this database.
   *
   * @param client a client of one MongoDB replica set; it stays the caller's
   * @throws io.postroad.schema.SchemaException when the schema does not fit
   * @throws io.postroad.message.PostroadException when the server cannot be used: too old, not
   *     reachable, or without transactions and {@link MongoOptions.TransactionMode#NONE} is not
   *     declared
   */
  public static MongoCompetingStore open(MongoClient client, MongoOptions options) {
    return open(client, options, () -> 0);
  }

  /** {@link #open(MongoClient, MongoOptions)} with a clock that tests have moved ahead. */
  public static MongoCompetingStore open(
      MongoClient client, MongoOptions options, LongSupplier aheadMillis) {
    ServerCheck.run(client, options);
    MongoSchema schema = new MongoSchema(client, options);
    options.schemaMode().apply(schema);
    return new MongoCompetingStore(
        new Database(client, options, aheadMillis), new NativeQueue(), schema, Exclusive.NEVER);
  }

  /**
   * Opens the outbox that a team already has in this database.
   *
   * <p>Messages stay in the collection of the layout. The other data of Postroad (deduplication
   * keys, pauses, the audit) is in collections beside it, whose names begin with {@code postroad_}
   * unless the options have a prefix. {@link io.postroad.schema.SchemaMode#MIGRATE} adds indexes to
   * the collection and changes no document.
   *
   * @param client a client of one MongoDB replica set; it stays the caller's
   * @throws IllegalArgumentException when the layout or the options do not fit a collection
   * @throws io.postroad.schema.SchemaException when the collection does not fit the layout, naming
   *     the field and the reason, or when something must be added first, with the script for it
   * @throws io.postroad.message.PostroadException when the server cannot be used
   */
  public static MongoCompetingStore open(MongoClient client, MongoOptions options, Layout layout) {
    return open(client, options, layout, () -> 0);
  }

  /** {@link #open(MongoClient, MongoOptions, Layout)} with a clock that tests have moved ahead. */
  public static MongoCompetingStore open(
      MongoClient client, MongoOptions options, Layout layout, LongSupplier aheadMillis) {
    MongoOptions beside = AdoptedSchema.beside(options, layout);
    ServerCheck.run(client, beside);
    AdoptedSchema schema = new AdoptedSchema(client, beside, layout);
    QueueForm form = schema.examined();
    options.schemaMode().apply(schema);
    Database database = new Database(client, beside, aheadMillis);
    return new MongoCompetingStore(
        database,
        form,
        schema,
        layout.exclusive() ? Exclusive.of(database, layout.table()) : Exclusive.NEVER);
  }

  @Override
  public String name() {
    return "mongodb";
  }

  /** Returns the transaction that {@link #append} is part of. */
  public MongoOptions.TransactionMode transactionMode() {
    return database.options().transactionMode();
  }

  /** Something that one node of this outbox does at a time. */
  Lease lease(String name) {
    return new Lease(database.collection(Names.LEASE), database.time(), name);
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
   * <p>A message id that is stored already is a {@link io.postroad.message.PostroadException} that
   * names it. MongoDB ends the transaction because of it, as of any other error of its own: abort
   * it.
   *
   * <p>Without a transaction, where {@link MongoOptions.TransactionMode#NONE} is declared, an error
   * says whether nothing of the call is stored, which messages are, or that this is not known. A
   * crash in the middle of a list leaves its first messages stored. A deduplication key whose
   * message is not stored never answers {@code Duplicate}: the same message is stored by its next
   * append, another one is refused with an error for a minute at most.
   */
  @Override
  public List<AppendResult> append(
      ClientSession transaction, List<Message> messages, Duration deduplicateFor) {
    return appender.append(transaction, messages, deduplicateFor);
  }

  @Override
  public List<Claim> claim(ClaimRequest request) {
    return claimer.claim(request);
  }

  @Override
  public Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    return settler.extend(claims, leaseFor);
  }

  @Override
  public boolean extend(ClientSession transaction, Claim claim, Duration leaseFor) {
    check.requireTransaction(transaction, "extend");
    return settler.extend(transaction, claim, leaseFor);
  }

  @Override
  public Set<UUID> settle(List<Settlement> settlements) {
    return settler.settle(settlements);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Needs write concern majority, as {@link #append} does. A message that was claimed or
   * extended since the transaction began ends it with an error labelled {@code
   * TransientTransactionError}: run it again, and the fence decides. Where {@link
   * MongoOptions.TransactionMode#NONE} is declared and the session has no transaction, the message
   * is settled at once: a crash between your writes and this call repeats the message.
   */
  @Override
  public boolean settle(ClientSession transaction, Settlement settlement) {
    check.requireTransaction(transaction, "settle");
    return settler.settle(transaction, settlement);
  }

  @Override
  public Set<String> blockedDestinations() {
    return aside.destinations();
  }

  @Override
  public int open(String destination, int limit) {
    return aside.open(destination, limit);
  }

  @Override
  public PurgeResult purge(Duration olderThan, int limit) {
    return purger.purge(olderThan, limit);
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
    return aside.blocked();
  }

  @Override
  public Backlog backlog() {
    return inspector.backlog();
  }

  @Override
  public Instant now() {
    return Database.call("read the database's clock", () -> database.time().ask());
  }

  @Override
  public void close() {
    exclusive.release();
    wakeUps.close();
  }
}
