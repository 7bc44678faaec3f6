package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.RelayParts;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.CompetingStore;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats {@link QueueCycle}: at once while there is work, then at the pace of polling. */
final class QueueWorker implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final Duration DRAIN_STEP = Duration.ofMillis(50);

  private final QueueCycle cycle;
  private final RelayParts parts;
  private final Pace pollPace;
  private final Waiter waiter;

  QueueWorker(CompetingStore<?> store, RelayParts parts, Waiter waiter) {
    this.cycle = new QueueCycle(store, parts, waiter);
    this.parts = parts;
    this.pollPace = parts.pollPace();
    this.waiter = waiter;
  }

  @Override
  public Duration runOnce() {
    RelayPass pass = cycle.runOnce();
    if (pass.didSomething()) {
      pollPace.reset();
    }
    return pass.full() ? Duration.ZERO : pollPace.next();
  }

  /** Waits for the sends in flight and settles them. */
  @Override
  public void finish() {
    drain(parts.options().drainFor());
  }

  /** Settles until no send is in flight; returns the sum of its passes. */
  private RelayPass drain(Duration atMost) {
    long began = parts.ticker().nanos();
    RelayPass done = settleAgain();
    while (cycle.unsettled() > 0
        && parts.ticker().since(began).compareTo(atMost) < 0
        && !Thread.currentThread().isInterrupted()) {
      waiter.await(DRAIN_STEP);
      done = done.plus(settleAgain());
    }
    return done;
  }

  /** Settles known outcomes; a store that fails is asked again, so that no outcome is lost. */
  private RelayPass settleAgain() {
    try {
      return cycle.settle();
    } catch (RuntimeException failed) {
      LOG.debug("settle failed while draining, trying again", failed);
      return RelayPass.NOTHING;
    }
  }

  /** Runs one pass and settles the outcomes of its sends. */
  RelayPass runToTheEnd(Duration atMost) {
    return cycle.runOnce().plus(drain(atMost));
  }

  int unsettled() {
    return cycle.unsettled();
  }
}
