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
import io.postroad.mongodb.internal.inbox.InboxEntries;
import io.postroad.mongodb.internal.inbox.InboxLines;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxWaiting;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The inbox in MongoDB: one document per message and handler, one per message that waits in a retry
 * line.
 *
 * <p>Safe to use from many threads. {@link #enter}, {@link #waits} and {@link #left} join the
 * transaction of the session they are given, which needs write concern majority; the other verbs
 * run by themselves. Needs a replica set. A crash leaves of a transaction all or nothing; a purge
 * that was interrupted has removed some of what it would.
 *
 * <p>A transaction that enters what another open one has entered, or had since this one began, ends
 * with an error labelled {@code TransientTransactionError}, which passes through unchanged. {@link
 * #transactions()} and the driver's {@code withTransaction} run it again, and then it finds the
 * entry, or not.
 *
 * <p>A transaction sees the waiting messages as of its first operation. That is enough, because the
 * messages of one key come one after the other: the one before has entered, and its transaction has
 * ended on a majority, before this one begins.
 */
public final class MongoInboxStore implements InboxStore<ClientSession> {
  private final Database database;
  private final MongoTransactions transactions;
  private final TransactionCheck check;
  private final InboxEntries entries;
  private final InboxLines lines;

  private MongoInboxStore(Database database) {
    this.database = database;
    this.transactions = new MongoTransactions(database.client(), database.options());
    this.check = TransactionCheck.of(database.client(), database.options());
    this.entries = new InboxEntries(database);
    this.lines = new InboxLines(database);
  }

  /**
   * Opens the inbox in this database. It can have the database, prefix and schema of an outbox.
   *
   * @param client a client of one MongoDB replica set; it stays the caller's
   * @throws io.postroad.schema.SchemaException when the schema does not fit
   * @throws PostroadException when the server cannot be used: standalone, too old, not reachable
   */
  public static MongoInboxStore open(MongoClient client, MongoOptions options) {
    return open(client, options, () -> 0);
  }

  /** {@link #open(MongoClient, MongoOptions)} with a clock that tests have moved ahead. */
  public static MongoInboxStore open(
      MongoClient client, MongoOptions options, LongSupplier aheadMillis) {
    if (options.transactionMode() == MongoOptions.TransactionMode.NONE) {
      throw new PostroadException(
          "MongoInboxStore needs transactions, but MongoOptions.transactionMode is NONE: without them"
              + " a message's effect and its entry are not one. Run MongoDB as a replica set (of"
              + " one: --replSet and rs.initiate())");
    }
    ServerCheck.run(client, options);
    options.schemaMode().apply(new MongoSchema(client, options));
    return new MongoInboxStore(new Database(client, options, aheadMillis));
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
  public Entered enter(ClientSession transaction, InboxEntry entry) {
    return inside(
        transaction,
        "enter",
        () -> {
          if (!entries.add(transaction, entry)) {
            return Entered.DUPLICATE;
          }
          return lines.isBehind(transaction, entry) ? Entered.BEHIND : Entered.NEW;
        });
  }

  @Override
  public Entered look(InboxEntry entry) {
    return Database.call(
        "look for an inbox entry",
        () -> {
          if (entries.has(entry)) {
            return Entered.DUPLICATE;
          }
          return lines.isBehind(entry) ? Entered.BEHIND : Entered.NEW;
        });
  }

  @Override
  public void waits(ClientSession transaction, InboxEntry entry, UUID retryId) {
    boolean unused =
        inside(
            transaction,
            "waits",
            () -> {
              lines.add(transaction, entry, retryId);
              return true;
            });
  }

  @Override
  public void left(ClientSession transaction, UUID retryId) {
    boolean unused =
        inside(
            transaction,
            "left",
            () -> {
              lines.remove(transaction, retryId);
              return true;
            });
  }

  private <R> R inside(ClientSession transaction, String verb, Supplier<R> operation) {
    check.requireTransaction(transaction, verb);
    try {
      return operation.get();
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction("do '%s' of the inbox".formatted(verb), failed);
    }
  }

  @Override
  public List<InboxWaiting> waiting(Duration longerThan, Optional<UUID> after, int limit) {
    InboxStore.checkLimit(limit);
    return Database.call(
        "list messages in the retry line", () -> lines.list(longerThan, after, limit));
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    InboxStore.checkLimit(limit);
    return Database.call("purge the inbox", () -> entries.purge(olderThan, limit));
  }

  @Override
  public Instant now() {
    return Database.call("read the database's clock", database.time()::ask);
  }

  /** Does nothing: the client is the caller's. */
  @Override
  public void close() {}
}
