package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Purger;
import io.postroad.internal.relay.RelayEngine;
import io.postroad.internal.relay.RelayParts;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.WakeUps;
import java.util.ArrayList;
import java.util.List;

/** Runs a {@link QueueCycle} on each of its threads, all of which claim any due message. */
public final class CompetingEngine implements RelayEngine {
  private final CompetingStore<?> store;
  private final RelayParts parts;
  private final List<QueueCycle> cycles = new ArrayList<>();
  private final List<BackgroundLoop> loops = new ArrayList<>();
  private WakeUps.Subscription wakeUps = () -> {};

  public CompetingEngine(CompetingStore<?> store, RelayParts parts) {
    this.store = store;
    this.parts = parts;
  }

  @Override
  public void start() {
    List<Waiter> waiters = new ArrayList<>();
    for (int i = 1; i <= parts.options().workers(); i++) {
      Waiter waiter = new Waiter();
      QueueCycle cycle = new QueueCycle(store, parts, waiter);
      waiters.add(waiter);
      cycles.add(cycle);
      loops.add(parts.loop(Integer.toString(i), cycle, waiter));
    }
    loops.add(parts.loop("purger", new Purger(store, parts), new Waiter()));
    wakeUps = store.wakeUps().subscribe(() -> waiters.forEach(Waiter::signal));
    loops.forEach(BackgroundLoop::start);
  }

  @Override
  public boolean isAlive() {
    return loops.stream().noneMatch(BackgroundLoop::hasEnded);
  }

  @Override
  public int stop() {
    wakeUps.close();
    BackgroundLoop.stopAll(loops, parts.stopWithin());
    return cycles.stream().mapToInt(QueueCycle::unsettled).sum();
  }

  @Override
  public RelayPass runOnce() {
    QueueCycle cycle = new QueueCycle(store, parts, new Waiter());
    return cycle.runPass().plus(cycle.drain(parts.sender().timeout().plus(RelayParts.GRACE)));
  }
}
