package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneBoard;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.PauseStore;
import io.postroad.spi.Settlement;
import io.postroad.spi.WakeUps;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.Decision;
import io.postroad.store.Finding;
import io.postroad.store.OrderKey;
import io.postroad.store.Parked;
import io.postroad.store.ParkedKey;
import io.postroad.store.PurgeResult;
import io.postroad.store.SetAside;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A store with {@link StopPoints} around what a lane's owner does. It purges only while {@link
 * Point#ROTATION} is armed, so that a test decides which node rotates and when.
 */
final class StoppingStore<T> implements OrderedStore<T> {
  private final OrderedStore<T> store;
  private final StopPoints points;

  /** Positions in the middle of a late transaction. */
  private final Set<LanePosition> withinWindow = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Around a store that must be an ordered one. */
  static <T> StoppingStore<T> over(OutboxStore<T> store, StopPoints points) {
    return new StoppingStore<>((OrderedStore<T>) store, points);
  }

  private StoppingStore(OrderedStore<T> store, StopPoints points) {
    this.store = store;
    this.points = points;
  }

  @Override
  public LaneBatch read(LaneLease lease, LanePosition after, int limit) {
    LaneBatch batch = store.read(lease, after, limit);
    if (leavesWindowOpen(batch, limit)) {
      batch.entries().stream().map(LaneEntry::position).forEach(withinWindow::add);
      points.reach(Point.WINDOW_OPENED);
    }
    if (!batch.entries().isEmpty()) {
      points.reach(Point.CHUNK_READ);
    }
    return batch;
  }

  private static boolean leavesWindowOpen(LaneBatch batch, int limit) {
    return batch.entries().size() == limit
        && batch.entries().stream().allMatch(entry -> entry.message().type().equals(Bookings.LATE));
  }

  @Override
  public void advance(LaneLease lease, LanePosition upTo, List<Settlement> held) {
    points.reach(Point.ACKNOWLEDGED);
    store.advance(lease, upTo, held);
    if (withinWindow.contains(upTo)) {
      points.reach(Point.WINDOW_WRITTEN);
    }
    points.reach(Point.CURSOR_WRITTEN);
  }

  @Override
  public PurgeResult purge(Duration olderThan, int limit) {
    return points.isArmed(Point.ROTATION)
        ? store.purge(olderThan, limit)
        : PurgeResult.removed(0, false);
  }

  @Override
  public int lanes() {
    return store.lanes();
  }

  @Override
  public void lockKeys(T transaction, Set<OrderKey> keys) {
    store.lockKeys(transaction, keys);
  }

  @Override
  public LaneBoard attend(String node, Duration seenFor) {
    return store.attend(node, seenFor);
  }

  @Override
  public void leave(String node) {
    store.leave(node);
  }

  @Override
  public Optional<LaneLease> take(int lane, String node, Duration leaseFor) {
    return store.take(lane, node, leaseFor);
  }

  @Override
  public void renew(LaneLease lease, Duration leaseFor) {
    store.renew(lease, leaseFor);
  }

  @Override
  public void release(LaneLease lease) {
    store.release(lease);
  }

  @Override
  public Set<OrderKey> heldKeys(LaneLease lease) {
    return store.heldKeys(lease);
  }

  @Override
  public boolean isHeld(OrderKey key) {
    return store.isHeld(key);
  }

  @Override
  public List<Claim> takeHeld(LaneLease lease, int limit) {
    return store.takeHeld(lease, limit);
  }

  @Override
  public Set<OrderKey> settleHeld(LaneLease lease, Collection<Settlement> settlements) {
    return store.settleHeld(lease, settlements);
  }

  @Override
  public int admitDue(LaneLease lease, int limit) {
    return store.admitDue(lease, limit);
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public Transactions<T> transactions() {
    return store.transactions();
  }

  @Override
  public WakeUps wakeUps() {
    return store.wakeUps();
  }

  @Override
  public List<AppendResult> append(T transaction, List<Message> messages, Duration deduplicateFor) {
    return store.append(transaction, messages, deduplicateFor);
  }

  @Override
  public Optional<StoredMessage> find(UUID id) {
    return store.find(id);
  }

  @Override
  public DeadLetterStore deadLetters() {
    return store.deadLetters();
  }

  @Override
  public Set<String> destinationsAside(LaneLease lease) {
    return store.destinationsAside(lease);
  }

  @Override
  public Set<OrderKey> open(LaneLease lease, String destination, int limit) {
    return store.open(lease, destination, limit);
  }

  @Override
  public PauseStore pauses() {
    return store.pauses();
  }

  @Override
  public List<SetAside> setAside() {
    return store.setAside();
  }

  @Override
  public long decisions(LaneLease lease) {
    return store.decisions(lease);
  }

  @Override
  public List<ParkedKey> parkedKeys(Optional<OrderKey> after, int limit) {
    return store.parkedKeys(after, limit);
  }

  @Override
  public Parked parked() {
    return store.parked();
  }

  @Override
  public boolean release(OrderKey key, Decision decision) {
    return store.release(key, decision);
  }

  @Override
  public Set<UUID> skip(Collection<UUID> ids, Decision decision) {
    return store.skip(ids, decision);
  }

  @Override
  public List<Finding> examine() {
    return store.examine();
  }

  @Override
  public Backlog backlog() {
    return store.backlog();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public void close() {
    store.close();
  }
}
