package io.postroad.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.ServerCheck;
import io.postroad.mongodb.internal.process.ProcessDefinitions;
import io.postroad.mongodb.internal.process.ProcessPurger;
import io.postroad.mongodb.internal.process.ProcessReader;
import io.postroad.mongodb.internal.process.ProcessWriter;
import io.postroad.mongodb.internal.process.ReplyDocuments;
import io.postroad.spi.process.ProcessQueries;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredDefinitions;
import io.postroad.spi.process.StoredProcesses;
import io.postroad.spi.process.WaitingReplies;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Processes in MongoDB: one document for each process, for each entry of its log, and for each
 * reply that waits for its process.
 *
 * <p>Safe to use from many threads. A method that takes a session joins its transaction, which
 * needs write concern majority; any other method runs by itself. Needs a replica set. A crash
 * leaves all or nothing of a transaction; a purge that was interrupted has deleted some whole
 * processes.
 *
 * <p>A transaction that locks a process which another open one has locked or has changed meanwhile
 * ends with an error labelled {@code TransientTransactionError}, which passes through unchanged; so
 * does one that starts a process with the business key that another starts. {@link #transactions()}
 * and the driver's {@code withTransaction} repeat it. Locking a due process skips those that others
 * have locked, and postponing leaves them as they are. Adding a waiting reply never collides.
 *
 * <p>The data of a process has 1 MiB at most, in UTF-8.
 */
public final class MongoProcessStore implements ProcessStore<ClientSession> {
  private static final Duration TICK = Duration.ofMillis(1);

  private final Database database;
  private final MongoTransactions transactions;
  private final ProcessWriter writer;
  private final ProcessReader reader;
  private final ProcessDefinitions definitions;
  private final ProcessPurger purger;
  private final ReplyDocuments replies;

  private MongoProcessStore(Database database) {
    this.database = database;
    this.transactions = new MongoTransactions(database.client(), database.options());
    this.writer = new ProcessWriter(database);
    this.reader = new ProcessReader(database);
    this.definitions = new ProcessDefinitions(database);
    this.purger = new ProcessPurger(database, transactions);
    this.replies = new ReplyDocuments(database);
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

  /** Opens a store whose clock tests have moved ahead. */
  public static MongoProcessStore open(
      MongoClient client, MongoOptions options, LongSupplier aheadMillis) {
    if (options.transactionMode() == MongoOptions.TransactionMode.NONE) {
      throw new PostroadException(
          "MongoProcessStore needs transactions, but MongoOptions.transactionMode is NONE: without"
              + " them a process and the work of its step could not be committed together. Run MongoDB as a replica set"
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

  @Override
  public StoredProcesses<ClientSession> processes() {
    return writer;
  }

  @Override
  public ProcessQueries queries() {
    return reader;
  }

  @Override
  public StoredDefinitions definitions() {
    return definitions;
  }

  /** Keeps replies: a transaction that locks a process which another has locked must run again. */
  @Override
  public Optional<WaitingReplies<ClientSession>> waitingReplies() {
    return Optional.of(replies);
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    return Database.call(
        "purge processes",
        () -> {
          int purged = purger.purge(olderThan, limit);
          definitions.purge(olderThan);
          return purged;
        });
  }

  @Override
  public Duration tick() {
    return TICK;
  }

  @Override
  public Instant now() {
    return Database.call("read the database's clock", database.time()::ask);
  }

  /** Does nothing; the client belongs to the caller. */
  @Override
  public void close() {}
}
