package io.postroad.test;

import io.postroad.spi.BlockedKeyStore;
import io.postroad.spi.BlockedMessageStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneStore;
import io.postroad.spi.LogStore;
import io.postroad.spi.OrderedStore;
import io.postroad.store.BlockedKey;
import io.postroad.store.BlockedSummary;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An ordered outbox store in memory, for tests. It has the transactions, lanes, leases and blocked
 * keys of the real stores and passes the same contracts; its clock is the one it is given.
 *
 * <p>A message takes its place when it is appended and is seen when its transaction commits, as in
 * a database: one that commits late is read after later ones, and none is lost by it.
 *
 * <p>Safe to use from many threads. Limits: nothing survives the JVM, there is no schema, and rows
 * of the user's own are not in its transactions.
 */
public final class InMemoryOrderedStore extends InMemoryStore
    implements OrderedStore<InMemoryTransaction> {
  private final OrderedDatabase database;
  private final BlockedKeys blockedKeys = new BlockedKeys();

  /** An empty store on the system's clock, with one lane. */
  public InMemoryOrderedStore() {
    this(InstantSource.system());
  }

  /** An empty store on this clock, for example a {@link ManualClock}, with one lane. */
  public InMemoryOrderedStore(InstantSource clock) {
    this(clock, 1);
  }

  /** An empty store on this clock with so many lanes. */
  public InMemoryOrderedStore(InstantSource clock, int lanes) {
    this(new OrderedDatabase(clock, lanes), InMemoryWakeUps.first());
  }

  private InMemoryOrderedStore(OrderedDatabase database, InMemoryWakeUps wakeUps) {
    super(database, wakeUps);
    this.database = database;
  }

  @Override
  public InMemoryOrderedStore anotherNode() {
    return new InMemoryOrderedStore(database, wakeUpsElsewhere());
  }

  @Override
  public String name() {
    return "in-memory-ordered";
  }

  @Override
  public LaneStore lanes() {
    return database;
  }

  @Override
  public LogStore log() {
    return database;
  }

  @Override
  public BlockedMessageStore blockedMessages() {
    return database;
  }

  @Override
  public BlockedKeyStore blockedKeys() {
    return blockedKeys;
  }

  @Override
  public void lockKeys(InMemoryTransaction transaction, Set<OrderKey> keys) {
    database.lockKeys(transaction, keys);
  }

  /** As after a crash of the server: the latest positions are forgotten and no lease holds. */
  void forgetMemory() {
    database.forgetMemory();
  }

  /** As after a restore into another cluster: what positions say no longer fits. */
  void changeCluster() {
    database.changeCluster();
  }

  private final class BlockedKeys implements BlockedKeyStore {
    @Override
    public List<BlockedKey> list(Optional<OrderKey> after, int limit) {
      DeadLetterStore.checkLimit(limit);
      return database.parkedKeys(after, limit);
    }

    @Override
    public BlockedSummary summary() {
      return database.summary();
    }

    @Override
    public boolean release(OrderKey key, Decision decision) {
      synchronized (database) {
        Optional<UUID> first = database.parkedBy(key);
        return first.isPresent()
            && !people()
                .decide("release", List.of(first.get()), decision, database::replay)
                .isEmpty();
      }
    }

    @Override
    public Set<UUID> skip(Collection<UUID> ids, Decision decision) {
      DeadLetterStore.checkIds(ids);
      synchronized (database) {
        return people().decide("skip", database.parking(ids), decision, database::skip);
      }
    }
  }
}
