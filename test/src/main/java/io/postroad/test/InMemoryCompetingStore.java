package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.Claim;
import io.postroad.store.ClaimRequest;
import io.postroad.store.CompetingStore;
import io.postroad.store.PurgeResult;
import io.postroad.store.Settlement;
import io.postroad.store.StoredMessage;
import io.postroad.store.Transactions;
import io.postroad.store.WakeUps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An outbox store in memory, for tests. It has the transactions, leases, tokens and deduplication
 * windows of the real stores and passes the same contracts; its clock is the one it is given.
 *
 * <p>Safe to use from many threads. A transaction that uses a deduplication key makes others that
 * use the same key wait until it has ended, as a unique index does. What it does not do: nothing
 * survives the JVM, there is no schema, and rows of the user's own are not in its transactions.
 */
public final class InMemoryCompetingStore implements CompetingStore<InMemoryTransaction> {
  private final Database database;
  private final InMemoryTransactions transactions;
  private final InMemoryWakeUps wakeUps;

  /** An empty store on the system's clock. */
  public InMemoryCompetingStore() {
    this(InstantSource.system());
  }

  /** An empty store on this clock, for example a {@link ManualClock}. */
  public InMemoryCompetingStore(InstantSource clock) {
    this(new Database(clock), InMemoryWakeUps.first());
  }

  private InMemoryCompetingStore(Database database, InMemoryWakeUps wakeUps) {
    this.database = database;
    this.transactions = new InMemoryTransactions(database);
    this.wakeUps = wakeUps;
  }

  /** Another node: a store of its own over the same messages and the same clock. */
  public InMemoryCompetingStore anotherNode() {
    return new InMemoryCompetingStore(database, wakeUps.another());
  }

  /** A transaction that the caller commits or rolls back, outside of {@link #transactions()}. */
  public InMemoryTransaction begin() {
    return new InMemoryTransaction(database);
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
  public WakeUps wakeUps() {
    return wakeUps;
  }

  @Override
  public List<AppendResult> append(
      InMemoryTransaction transaction, List<Message> messages, Duration deduplicateFor) {
    return database.append(transaction, messages, deduplicateFor);
  }

  @Override
  public List<Claim> claim(ClaimRequest request) {
    return database.claim(request);
  }

  @Override
  public Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    return database.extend(claims, leaseFor);
  }

  @Override
  public Set<UUID> settle(List<Settlement> settlements) {
    return database.settle(settlements);
  }

  @Override
  public PurgeResult purge(Duration olderThan, int limit) {
    return database.purge(olderThan, limit);
  }

  @Override
  public Optional<StoredMessage> find(UUID id) {
    return database.find(id);
  }

  @Override
  public Backlog backlog() {
    return database.backlog();
  }

  @Override
  public Instant now() {
    return database.now();
  }

  /** Ends the subscriptions of this node; the messages stay for the other nodes. */
  @Override
  public void close() {
    wakeUps.closeAll();
  }
}
