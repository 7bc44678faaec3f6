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

/** Runs a {@link LaneOwner}, which runs a {@link LaneWorker} for each lane of this node. */
public final class OrderedEngine implements RelayEngine {
  private final OrderedStore<?> store;
  private final RelayParts parts;
  private final LaneOwner owner;
  private final Waiter ownerWaiter = new Waiter();
  private final BackgroundLoop ownerLoop;
  private final BackgroundLoop purgerLoop;
  private WakeUps.Subscription wakeUps = () -> {};

  public OrderedEngine(OrderedStore<?> store, RelayParts parts) {
    this.store = store;
    this.parts = parts;
    this.owner = new LaneOwner(store, parts, nodeName(parts.options().name()), ownerWaiter);
    this.ownerLoop = parts.loop("lanes", owner, ownerWaiter);
    this.purgerLoop = parts.loop("purger", new Purger(store, parts), new Waiter());
  }

  /** Returns a name unlike any other, also of a relay that had the same name and crashed. */
  private static String nodeName(String relay) {
    return relay + "/" + UUID.randomUUID().toString().substring(0, 8);
  }

  @Override
  public void start() {
    wakeUps = store.wakeUps().subscribe(this::hint);
    ownerLoop.start();
    purgerLoop.start();
  }

  private void hint() {
    owner.wakeUp();
    if (owner.ownsNothing()) {
      // A lane may have been released.
      ownerWaiter.signal();
    }
  }

  @Override
  public boolean isAlive() {
    return !ownerLoop.hasEnded() && !purgerLoop.hasEnded();
  }

  @Override
  public int stop() {
    // The owner renews leases while the lanes drain.
    int unsettled = owner.close();
    wakeUps.close();
    BackgroundLoop.stopAll(List.of(ownerLoop, purgerLoop), parts.stopWithin());
    owner.leave();
    return unsettled;
  }

  @Override
  public RelayPass runOnce() {
    return owner.runAll();
  }
}
