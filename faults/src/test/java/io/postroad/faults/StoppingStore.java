package io.postroad.faults;

import io.postroad.message.Message;
import io.postroad.spi.BlockedKeyStore;
import io.postroad.spi.BlockedMessageStore;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.LaneStore;
import io.postroad.spi.LogStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.spi.PauseStore;
import io.postroad.spi.Settlement;
import io.postroad.spi.WakeUps;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.Finding;
import io.postroad.store.OrderKey;
import io.postroad.store.PurgeResult;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
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
  public LogStore log() {
    return new StoppingLog();
  }

  @Override
  public PurgeResult purge(Duration olderThan, int limit) {
    return points.isArmed(Point.ROTATION)
        ? store.purge(olderThan, limit)
        : PurgeResult.removed(0, false);
  }

  @Override
  public LaneStore lanes() {
    return store.lanes();
  }

  @Override
  public BlockedMessageStore blockedMessages() {
    return store.blockedMessages();
  }

  @Override
  public BlockedKeyStore blockedKeys() {
    return store.blockedKeys();
  }

  @Override
  public void lockKeys(T transaction, Set<OrderKey> keys) {
    store.lockKeys(transaction, keys);
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
  public PauseStore pauses() {
    return store.pauses();
  }

  @Override
  public List<BlockedDestination> blocked() {
    return store.blocked();
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

  private final class StoppingLog implements LogStore {
    @Override
    public LaneBatch read(LaneLease lease, LanePosition after, int limit) {
      LaneBatch batch = store.log().read(lease, after, limit);
      if (leavesWindowOpen(batch, limit)) {
        batch.entries().stream().map(LaneEntry::position).forEach(withinWindow::add);
        points.reach(Point.WINDOW_OPENED);
      }
      if (!batch.entries().isEmpty()) {
        points.reach(Point.CHUNK_READ);
      }
      return batch;
    }

    private boolean leavesWindowOpen(LaneBatch batch, int limit) {
      return batch.entries().size() == limit
          && batch.entries().stream()
              .allMatch(entry -> entry.message().type().equals(Bookings.LATE));
    }

    @Override
    public void advance(LaneLease lease, LanePosition upTo, List<Settlement> held) {
      points.reach(Point.ACKNOWLEDGED);
      store.log().advance(lease, upTo, held);
      if (withinWindow.contains(upTo)) {
        points.reach(Point.WINDOW_WRITTEN);
      }
      points.reach(Point.CURSOR_WRITTEN);
    }

    @Override
    public int admitDue(LaneLease lease, int limit) {
      return store.log().admitDue(lease, limit);
    }
  }
}
