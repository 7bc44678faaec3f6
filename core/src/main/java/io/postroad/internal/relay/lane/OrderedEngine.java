package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Purger;
import io.postroad.internal.relay.RelayEngine;
import io.postroad.internal.relay.RelayParts;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.WakeUps;
import java.util.List;
import java.util.UUID;

/** One {@link LaneKeeper}, and a {@link LaneWorker} for each lane that this node owns. */
public final class OrderedEngine implements RelayEngine {
  private final OrderedStore<?> store;
  private final RelayParts parts;
  private final LaneKeeper keeper;
  private final Waiter keeperWaiter = new Waiter();
  private final BackgroundLoop keeperLoop;
  private final BackgroundLoop purgerLoop;
  private WakeUps.Subscription wakeUps = () -> {};

  public OrderedEngine(OrderedStore<?> store, RelayParts parts) {
    this.store = store;
    this.parts = parts;
    this.keeper = new LaneKeeper(store, parts, nodeName(parts.options().name()), keeperWaiter);
    this.keeperLoop = parts.loop("lanes", keeper, keeperWaiter);
    this.purgerLoop =
        parts.loop("purger", new Purger(store, parts.options(), parts.observer()), new Waiter());
  }

  /** Unlike any other, also of a relay that had the same name and crashed. */
  private static String nodeName(String relay) {
    return relay + "/" + UUID.randomUUID().toString().substring(0, 8);
  }

  @Override
  public void start() {
    wakeUps = store.wakeUps().subscribe(this::hint);
    keeperLoop.start();
    purgerLoop.start();
  }

  private void hint() {
    keeper.wakeUp();
    if (keeper.ownsNothing()) {
      // A lane may have been released.
      keeperWaiter.signal();
    }
  }

  @Override
  public boolean isAlive() {
    return !keeperLoop.hasEnded() && !purgerLoop.hasEnded();
  }

  @Override
  public int stop() {
    // The keeper goes on renewing while the lanes drain.
    int unsettled = keeper.close();
    wakeUps.close();
    BackgroundLoop.stopAll(List.of(keeperLoop, purgerLoop), parts.stopWithin());
    keeper.leave();
    return unsettled;
  }

  @Override
  public RelayPass runOnce() {
    return keeper.runAll();
  }
}
