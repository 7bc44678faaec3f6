package io.postroad.test;

import io.postroad.spi.Claim;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneBoard;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.Settlement;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import io.postroad.store.Parked;
import io.postroad.store.ParkedKey;
import io.postroad.store.SetAside;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An ordered outbox store in memory, for tests. It has the transactions, lanes, leases and held
 * keys of the real stores and passes the same contracts; its clock is the one it is given.
 *
 * <p>A message takes its place when it is appended and is seen when its transaction commits, as in
 * a database: one that commits late is read after later ones, and none is lost by it.
 *
 * <p>Safe to use from many threads. What it does not do: nothing survives the JVM, there is no
 * schema, and rows of the user's own are not in its transactions.
 */
public final class InMemoryOrderedStore extends InMemoryStore
    implements OrderedStore<InMemoryTransaction> {
  private final OrderedDatabase database;

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
  public int lanes() {
    return database.lanes();
  }

  @Override
  public void lockKeys(InMemoryTransaction transaction, Set<OrderKey> keys) {
    database.lockKeys(transaction, keys);
  }

  @Override
  public LaneBoard attend(String node, Duration seenFor) {
    return database.attend(node, seenFor);
  }

  @Override
  public void leave(String node) {
    database.leave(node);
  }

  @Override
  public Optional<LaneLease> take(int lane, String node, Duration leaseFor) {
    return database.take(lane, node, leaseFor);
  }

  @Override
  public void renew(LaneLease lease, Duration leaseFor) {
    database.renew(lease, leaseFor);
  }

  @Override
  public void release(LaneLease lease) {
    database.release(lease);
  }

  @Override
  public LaneBatch read(LaneLease lease, LanePosition after, int limit) {
    return database.read(lease, (Position) after, limit);
  }

  @Override
  public void advance(LaneLease lease, LanePosition upTo, List<Settlement> held) {
    database.advance(lease, (Position) upTo, held);
  }

  @Override
  public Set<OrderKey> heldKeys(LaneLease lease) {
    return database.heldKeys(lease);
  }

  @Override
  public boolean isHeld(OrderKey key) {
    return database.isHeld(key);
  }

  @Override
  public List<Claim> takeHeld(LaneLease lease, int limit) {
    return database.takeHeld(lease, limit);
  }

  @Override
  public Set<OrderKey> settleHeld(LaneLease lease, Collection<Settlement> settlements) {
    return database.settleHeld(lease, settlements);
  }

  @Override
  public Set<String> destinationsAside(LaneLease lease) {
    return database.destinationsAside(lease);
  }

  @Override
  public Set<OrderKey> open(LaneLease lease, String destination, int limit) {
    SetAside.checkLimit(limit);
    return database.open(lease, destination, limit);
  }

  @Override
  public long decisions(LaneLease lease) {
    return database.decisions(lease);
  }

  @Override
  public List<ParkedKey> parkedKeys(Optional<OrderKey> after, int limit) {
    DeadLetterStore.checkLimit(limit);
    return database.parkedKeys(after, limit);
  }

  @Override
  public Parked parked() {
    return database.parked();
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

  @Override
  public int admitDue(LaneLease lease, int limit) {
    return database.admitDue(lease, limit);
  }

  /** As after a crash of the server: the latest positions are forgotten and no lease holds. */
  void forgetMemory() {
    database.forgetMemory();
  }

  /** As after a restore into another cluster: what positions say no longer fits. */
  void changeCluster() {
    database.changeCluster();
  }
}
