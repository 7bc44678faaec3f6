package io.postroad.test;

import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxWaiting;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An inbox in memory, for tests, in the database of an outbox in memory: {@link
 * InMemoryStore#inbox()}. A transaction that enters a message makes others that enter the same wait
 * until it has ended, as a unique index does.
 *
 * <p>Safe to use from many threads. Nothing survives the JVM.
 */
public final class InMemoryInboxStore implements InboxStore<InMemoryTransaction> {
  private final Database database;
  private final InMemoryTransactions transactions;

  InMemoryInboxStore(Database database, InMemoryTransactions transactions) {
    this.database = database;
    this.transactions = transactions;
  }

  @Override
  public String name() {
    return "in-memory";
  }

  @Override
  public Transactions<InMemoryTransaction> transactions() {
    return transactions;
  }

  @Override
  public Entered enter(InMemoryTransaction transaction, InboxEntry entry) {
    return database.inbox.enter(transaction, entry);
  }

  @Override
  public Entered look(InboxEntry entry) {
    return database.inbox.look(entry);
  }

  @Override
  public void waits(InMemoryTransaction transaction, InboxEntry entry, UUID retryId) {
    database.inbox.waits(transaction, entry, InboxStore.keyOf(entry), retryId);
  }

  @Override
  public void left(InMemoryTransaction transaction, UUID retryId) {
    database.inbox.left(transaction, retryId);
  }

  @Override
  public List<InboxWaiting> waiting(Duration longerThan, Optional<UUID> after, int limit) {
    InboxStore.checkLimit(limit);
    return database.inbox.waiting(now().minus(longerThan), after, limit);
  }

  @Override
  public int purge(Duration olderThan, int limit) {
    InboxStore.checkLimit(limit);
    return database.inbox.purge(now().minus(olderThan), limit);
  }

  @Override
  public Instant now() {
    return database.now();
  }

  @Override
  public void close() {}
}
