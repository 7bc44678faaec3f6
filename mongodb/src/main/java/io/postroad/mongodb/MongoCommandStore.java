package io.postroad.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.AbortedSessions;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerCheck;
import io.postroad.mongodb.internal.client.SignalDocument;
import io.postroad.mongodb.internal.client.TransactionCheck;
import io.postroad.mongodb.internal.client.UnheldDocuments;
import io.postroad.mongodb.internal.command.ClaimedCommands;
import io.postroad.mongodb.internal.command.CommandAccepter;
import io.postroad.mongodb.internal.command.CommandClaimer;
import io.postroad.mongodb.internal.command.CommandFinisher;
import io.postroad.mongodb.internal.command.CommandReader;
import io.postroad.mongodb.internal.command.HandlerSessions;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandQueue;
import io.postroad.spi.CommandStore;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.NodeWakeUps;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Keeps commands in MongoDB: one document each.
 *
 * <p>Safe to use from many threads. A verb with a session joins its transaction, which needs write
 * concern majority; the others run by themselves. Needs a replica set. A crash leaves of a
 * transaction all or nothing. A claim or a release that was interrupted has changed some of its
 * documents; claimed ones come back when their lease ends.
 *
 * <p>A transaction ends with an error labelled {@code TransientTransactionError}, which passes
 * through unchanged, when it writes a document that another one has written since: both accept the
 * same key, or one cancels a command that a handler runs. {@link #transactions()} and the driver's
 * {@code withTransaction} run it again. {@link #claim} and {@link #expire} leave out documents that
 * such a transaction holds; a claim that meets one waits for 2 s before.
 */
public final class MongoCommandStore implements CommandStore<ClientSession> {
  private final Database database;
  private final MongoTransactions transactions;
  private final NodeWakeUps wakeUps;
  private final TransactionCheck check;
  private final AbortedSessions aborted;
  private final HandlerSessions sessions;
  private final CommandAccepter accepter;
  private final CommandClaimer claimer;
  private final ClaimedCommands claimed;
  private final CommandFinisher finisher;
  private final CommandReader reader;

  private MongoCommandStore(Database database) {
    this.database = database;
    this.transactions = new MongoTransactions(database.client(), database.options());
    this.wakeUps = SignalDocument.wakeUps(database, Names.COMMAND_SIGNAL);
    this.check = TransactionCheck.of(database.client(), database.options());
    this.aborted = new AbortedSessions(database);
    this.sessions = new HandlerSessions(database);
    UnheldDocuments unheld = new UnheldDocuments(database, Names.COMMAND);
    this.accepter = new CommandAccepter(database);
    this.claimer = new CommandClaimer(database, unheld, sessions);
    this.claimed = new ClaimedCommands(database);
    this.finisher = new CommandFinisher(database, unheld);
    this.reader = new CommandReader(database);
  }

  /**
   * Opens the commands in this database. It can have the database, prefix and schema of an outbox.
   *
   * @param client a client of one MongoDB replica set; it stays the caller's
   * @throws io.postroad.schema.SchemaException when the schema does not fit
   * @throws PostroadException when the server cannot be used: standalone, too old, not reachable
   */
  public static MongoCommandStore open(MongoClient client, MongoOptions options) {
    return open(client, options, () -> 0);
  }

  /** Opens the commands with a clock that tests have moved ahead. */
  public static MongoCommandStore open(
      MongoClient client, MongoOptions options, LongSupplier aheadMillis) {
    if (options.transactionMode() == MongoOptions.TransactionMode.NONE) {
      throw new PostroadException(
          "MongoCommandStore needs transactions, but MongoOptions.transactionMode is NONE: without"
              + " them what a handler did and that its command has ended are not one. Run MongoDB"
              + " as a replica set (of one: --replSet and rs.initiate())");
    }
    ServerCheck.run(client, options);
    options.schemaMode().apply(new MongoSchema(client, options));
    return new MongoCommandStore(new Database(client, options, aheadMillis));
  }

  @Override
  public String name() {
    return "mongodb";
  }

  @Override
  public Transactions<ClientSession> transactions() {
    return transactions;
  }

  @Override
  public WakeUps wakeUps() {
    return wakeUps;
  }

  @Override
  public Acceptance accept(ClientSession transaction, NewCommand command) {
    return inside(transaction, "accept", () -> accepter.accept(transaction, command));
  }

  @Override
  public Acceptance acceptTaken(
      ClientSession transaction, NewCommand command, String owner, Duration leaseFor) {
    CommandQueue.checkTakeable(command);
    return inside(
        transaction, "accept", () -> accepter.acceptTaken(transaction, command, owner, leaseFor));
  }

  @Override
  public List<CommandClaim> claim(String owner, Set<String> types, int limit, Duration leaseFor) {
    CommandStore.checkLimit(limit);
    return Database.call("claim commands", () -> claimer.claim(owner, types, limit, leaseFor));
  }

  @Override
  public Opening open(ClientSession transaction, CommandClaim claim, Duration longest) {
    boolean unused = limit(transaction, longest);
    return inside(transaction, "open", () -> claimed.open(transaction, claim));
  }

  /**
   * {@inheritDoc}
   *
   * <p>MongoDB has no limit of a transaction. So this records that a handler uses the session, once
   * for each session of the driver's pool, and a claim of another node has the server end a
   * transaction that is open for longer. Where that is not possible it ends after 60 to 90 s, by
   * the server's {@code transactionLifetimeLimitSeconds}.
   */
  @Override
  public boolean limit(ClientSession transaction, Duration longest) {
    return Database.call(
        "record the session of a handler",
        () -> {
          sessions.use(transaction, longest);
          return true;
        });
  }

  @Override
  public boolean finish(ClientSession transaction, CommandClaim claim, CommandOutcome outcome) {
    return inside(transaction, "finish", () -> claimed.finish(transaction, claim, outcome));
  }

  @Override
  public boolean finishUnended(
      ClientSession transaction, CommandClaim claim, CommandOutcome outcome) {
    return finish(transaction, claim, outcome);
  }

  @Override
  public boolean retry(CommandClaim claim, Duration delay, String error) {
    return Database.call(
        "have command %s tried again".formatted(claim.id()),
        () -> claimed.retry(claim, delay, error));
  }

  @Override
  public boolean handOver(CommandClaim claim, Duration pause, String why) {
    return Database.call(
        "hand over command %s".formatted(claim.id()), () -> claimed.handOver(claim, pause, why));
  }

  @Override
  public Set<UUID> release(Collection<CommandClaim> claims) {
    return Database.call("give back commands", () -> claimed.release(claims));
  }

  @Override
  public Optional<StoredCommand> cancel(
      ClientSession transaction, UUID id, CommandOutcome outcome) {
    return inside(transaction, "cancel", () -> finisher.cancel(transaction, id, outcome));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Does not touch the document of a command that a handler runs. If another transaction ends a
   * queued command at the same moment, that is a write conflict: this transaction is run again.
   */
  @Override
  public Optional<StoredCommand> recall(
      ClientSession transaction, UUID id, CommandOutcome outcome) {
    return inside(transaction, "recall", () -> finisher.recall(transaction, id, outcome));
  }

  @Override
  public List<StoredCommand> expire(
      ClientSession transaction, CommandOutcome outcome, int limit, Collection<UUID> except) {
    CommandStore.checkLimit(limit);
    return inside(
        transaction, "expire", () -> finisher.expire(transaction, outcome, limit, except));
  }

  @Override
  public Optional<StoredCommand> reply(ClientSession transaction, UUID id, CommandOutcome outcome) {
    return inside(transaction, "reply", () -> finisher.reply(transaction, id, outcome));
  }

  /**
   * {@inheritDoc}
   *
   * <p>To be called before this transaction itself has written the command.
   */
  @Override
  public Optional<StoredCommand> replyNow(
      ClientSession transaction, UUID id, CommandOutcome outcome) {
    return inside(transaction, "replyNow", () -> finisher.replyNow(transaction, id, outcome));
  }

  @Override
  public boolean arrived(ClientSession transaction, UUID id) {
    return inside(transaction, "arrived", () -> finisher.arrived(transaction, id));
  }

  private <R> R inside(ClientSession transaction, String verb, Supplier<R> operation) {
    aborted.refuse(transaction, verb);
    check.requireTransaction(transaction, verb);
    R result;
    try {
      result = operation.get();
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction("do '%s' of a command".formatted(verb), failed);
    }
    // If it waited for a connection meanwhile, it would begin a transaction that is never killed.
    aborted.refuse(transaction, verb);
    return result;
  }

  /** {@inheritDoc} Each command has a document from its acceptance on. */
  @Override
  public Optional<Handoff<ClientSession>> handoff() {
    return Optional.empty();
  }

  @Override
  public Optional<StoredCommand> find(UUID id) {
    return Database.call("find a command", () -> reader.find(id));
  }

  @Override
  public Optional<StoredCommand> find(ClientSession transaction, UUID id) {
    return inside(transaction, "find", () -> finisher.find(transaction, id));
  }

  @Override
  public Optional<StoredCommand> findByKey(String idempotencyKey) {
    return Database.call("find a command", () -> reader.findByKey(idempotencyKey));
  }

  @Override
  public List<StoredCommand> finished(Collection<UUID> ids) {
    return Database.call("find commands that have ended", () -> reader.finished(ids));
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    CommandStore.checkLimit(limit);
    return Database.call("purge commands", () -> reader.purge(olderThan, limit));
  }

  /**
   * {@inheritDoc}
   *
   * <p>These are errors labelled {@code TransientTransactionError}, {@code
   * UnknownTransactionCommitResult} or {@code RetryableWriteError}; write conflicts and timeouts of
   * locks; lost connections, servers that are no longer primary, and no server or no answer in
   * time.
   */
  @Override
  public boolean isTransient(Throwable failure) {
    return MongoErrors.mayPass(failure);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Has the server kill the session, for which a user needs no right beyond its own; its
   * documents are free when this returns. The session takes no further verbs of this store.
   */
  @Override
  public void abort(ClientSession transaction) {
    Database.call(
        "abort a transaction",
        () -> {
          aborted.abort(transaction);
          return true;
        });
  }

  @Override
  public Instant now() {
    return Database.call("read the database's clock", database.time()::ask);
  }

  /** Ends the hints; the client is the caller's. */
  @Override
  public void close() {
    wakeUps.close();
  }
}
