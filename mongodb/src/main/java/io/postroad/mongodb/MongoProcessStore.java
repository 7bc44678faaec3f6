package io.postroad.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.ServerCheck;
import io.postroad.mongodb.internal.client.TransactionCheck;
import io.postroad.mongodb.internal.process.WaitingReplies;
import io.postroad.mongodb.internal.process.ProcessDefinitions;
import io.postroad.mongodb.internal.process.ProcessFilters;
import io.postroad.mongodb.internal.process.ProcessPurger;
import io.postroad.mongodb.internal.process.ProcessReader;
import io.postroad.mongodb.internal.process.ProcessSteps;
import io.postroad.mongodb.internal.process.ProcessTimers;
import io.postroad.spi.WaitingReply;
import io.postroad.spi.ProcessBusyException;
import io.postroad.spi.ProcessFilter;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.StoredDefinition;
import io.postroad.spi.StoredProcess;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Processes in MongoDB: one document each, one for each entry of their logs, and one for each reply
 * that is written down for later.
 *
 * <p>Safe to use from many threads. The verbs that are given a session join its transaction, which
 * needs write concern majority; the others run by themselves. Needs a replica set. A crash leaves
 * of a transaction all or nothing; a purge that was interrupted has forgotten some whole processes.
 *
 * <p>A transaction that locks what another open one has locked, or one has changed since this one
 * began, ends with an error labelled {@code TransientTransactionError}, which passes through
 * unchanged; so does one that starts a process with the business key that another starts. {@link
 * #transactions()} and the driver's {@code withTransaction} run it again. {@link #lockDue} goes
 * round what others have locked and {@link #postpone} leaves it. {@link #park} collides with
 * nobody.
 *
 * <p>The data of a process has 1 MiB at most, in UTF-8.
 */
public final class MongoProcessStore implements ProcessStore<ClientSession> {
  private static final Duration TICK = Duration.ofMillis(1);

  private final Database database;
  private final MongoTransactions transactions;
  private final TransactionCheck check;
  private final ProcessSteps steps;
  private final ProcessTimers timers;
  private final ProcessReader reader;
  private final ProcessDefinitions definitions;
  private final ProcessPurger purger;
  private final WaitingReplies arrivals;

  private MongoProcessStore(Database database) {
    this.database = database;
    this.transactions = new MongoTransactions(database.client(), database.options());
    this.check = TransactionCheck.of(database.client(), database.options());
    this.steps = new ProcessSteps(database);
    this.timers = new ProcessTimers(database, steps);
    this.reader = new ProcessReader(database);
    this.definitions = new ProcessDefinitions(database);
    this.purger = new ProcessPurger(database, transactions);
    this.arrivals = new WaitingReplies(database);
  }

  /**
   * Opens the processes in this database. It can have the database, prefix and schema of an outbox.
   *
   * @param client a client of one MongoDB replica set; it stays the caller's
   * @throws io.postroad.schema.SchemaException when the schema does not fit
   * @throws PostroadException when the server cannot be used: standalone, too old, not reachable
   */
  public static MongoProcessStore open(MongoClient client, MongoOptions options) {
    return open(client, options, () -> 0);
  }

  /** {@link #open(MongoClient, MongoOptions)} with a clock that tests have moved ahead. */
  public static MongoProcessStore open(
      MongoClient client, MongoOptions options, LongSupplier aheadMillis) {
    if (options.transactionMode() == MongoOptions.TransactionMode.NONE) {
      throw new PostroadException(
          "MongoProcessStore needs transactions, but MongoOptions.transactionMode is NONE: without"
              + " them a process and what its step did are not one. Run MongoDB as a replica set"
              + " (of one: --replSet and rs.initiate())");
    }
    ServerCheck.run(client, options);
    options.schemaMode().apply(new MongoSchema(client, options));
    return new MongoProcessStore(new Database(client, options, aheadMillis));
  }

  @Override
  public String name() {
    return "mongodb";
  }

  @Override
  public Transactions<ClientSession> transactions() {
    return transactions;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException when it has more than 1 MiB of data; nothing was written
   */
  @Override
  public Optional<UUID> start(
      ClientSession transaction, StoredProcess process, List<ProcessLogEntry> log) {
    return inside(
        transaction,
        "start",
        "start process " + process.id(),
        () -> steps.start(transaction, process, log));
  }

  @Override
  public Optional<Locked> lock(ClientSession transaction, UUID id) {
    return inside(
        transaction,
        "lock",
        "lock process " + id,
        () -> steps.lock(transaction, ProcessFilters.id(id)));
  }

  @Override
  public Optional<Locked> lockNow(ClientSession transaction, UUID id) {
    return inside(
        transaction,
        "lockNow",
        "lock process " + id,
        () -> {
          try {
            return steps.lock(transaction, ProcessFilters.id(id));
          } catch (MongoException failed) {
            // Without the driver's exception, whose label would have the unit run again.
            throw MongoErrors.isWriteConflict(failed) ? new ProcessBusyException(id) : failed;
          }
        });
  }

  /**
   * {@inheritDoc}
   *
   * <p>Tries each of the ten that are due for the longest time, first the longest and then the
   * others in any order, in a transaction that it never commits, to see whether it is free; then
   * the next ten.
   */
  @Override
  public Optional<Locked> lockDue(ClientSession transaction) {
    return inside(
        transaction,
        "lockDue",
        "lock a process whose timer is due",
        () -> timers.lockDue(transaction));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException when it has more than 1 MiB of data; nothing was written
   */
  @Override
  public void save(ClientSession transaction, StoredProcess process, List<ProcessLogEntry> log) {
    boolean unused =
        inside(
            transaction,
            "save",
            "save process " + process.id(),
            () -> {
              steps.save(transaction, process, log);
              return true;
            });
  }

  @Override
  public void saveKnown(
      ClientSession transaction, long knownSeq, StoredProcess process, List<ProcessLogEntry> log) {
    boolean unused =
        inside(
            transaction,
            "save",
            "save process " + process.id(),
            () -> {
              steps.saveKnown(transaction, knownSeq, process, log);
              return true;
            });
  }

  private <R> R inside(ClientSession transaction, String verb, String what, Supplier<R> operation) {
    check.requireTransaction(transaction, verb);
    try {
      return operation.get();
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction(what, failed);
    }
  }

  @Override
  public void postpone(UUID id, Duration delay) {
    boolean unused =
        Database.call(
            "postpone the timer of process " + id,
            () -> {
              timers.postpone(id, delay);
              return true;
            });
  }

  @Override
  public Optional<StoredProcess> find(UUID id) {
    return Database.call("look for process " + id, () -> reader.find(id));
  }

  @Override
  public List<StoredProcess> list(ProcessFilter filter, int limit) {
    ProcessStore.checkLimit(limit);
    return Database.call("list processes", () -> reader.list(filter, limit));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads an index from end to end, and no document: not for every second when there are
   * millions.
   */
  @Override
  public Map<String, Long> counts() {
    return Database.call("count processes", reader::counts);
  }

  @Override
  public List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit) {
    ProcessStore.checkLimit(limit);
    return Database.call(
        "read the log of process " + processId, () -> reader.log(processId, afterSeq, limit));
  }

  @Override
  public void keep(StoredDefinition definition) {
    boolean unused =
        Database.call(
            "keep the definition of process " + definition.type(),
            () -> {
              definitions.keep(definition);
              return true;
            });
  }

  @Override
  public Optional<StoredDefinition> definition(String type, String hash) {
    return Database.call(
        "look for a definition of process " + type, () -> definitions.find(type, hash));
  }

  @Override
  public Optional<Instant> keptSince(String type, String hash) {
    return Database.call(
        "look for a definition of process " + type, () -> definitions.keptSince(type, hash));
  }

  @Override
  public Map<String, Long> live(String type) {
    return Database.call("count the active processes of " + type, () -> reader.live(type));
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    ProcessStore.checkLimit(limit);
    return Database.call(
        "purge processes",
        () -> {
          int forgotten = purger.purge(olderThan, limit);
          definitions.purge(olderThan);
          return forgotten;
        });
  }

  /** Who wants a process that another has locked has to run again here. */
  @Override
  public boolean parksBranches() {
    return true;
  }

  @Override
  public void park(ClientSession transaction, WaitingReply arrival) {
    boolean unused =
        inside(
            transaction,
            "park",
            "write down a reply for process " + arrival.processId(),
            () -> {
              arrivals.park(transaction, arrival);
              return true;
            });
  }

  @Override
  public List<WaitingReply> takeParked(ClientSession transaction, UUID processId) {
    return inside(
        transaction,
        "takeParked",
        "take the replies for process " + processId,
        () -> arrivals.take(transaction, processId));
  }

  @Override
  public List<UUID> parked(int limit, Collection<UUID> except) {
    ProcessStore.checkLimit(limit);
    return Database.call(
        "look which processes have replies written down", () -> arrivals.processes(limit, except));
  }

  @Override
  public Duration tick() {
    return TICK;
  }

  @Override
  public Instant now() {
    return Database.call("read the database's clock", database.time()::ask);
  }

  @Override
  public Instant nearlyNow(ClientSession transaction) {
    return Database.call("read the database's clock", () -> database.time().nearlyNow());
  }

  /** There is nothing to end; the client is the caller's. */
  @Override
  public void close() {}
}
