package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.RelayPass;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of a relay: passes without a pause while there is work, then at the pace of polling. */
final class RelayWorker implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final Duration DRAIN_STEP = Duration.ofMillis(50);

  private final RelayCycle cycle;
  private final Pace pollPace;
  private final Waiter waiter;
  private final Ticker ticker;
  private final Duration drainFor;

  RelayWorker(RelayCycle cycle, Pace pollPace, Waiter waiter, Ticker ticker, Duration drainFor) {
    this.cycle = cycle;
    this.pollPace = pollPace;
    this.waiter = waiter;
    this.ticker = ticker;
    this.drainFor = drainFor;
  }

  @Override
  public Duration runOnce() {
    RelayPass pass = cycle.runOnce();
    if (pass.didSomething()) {
      pollPace.reset();
    }
    return pass.full() ? Duration.ZERO : pollPace.next();
  }

  /** Stop order: no more claims, wait for what is in flight, settle it. */
  @Override
  public void finish() {
    drain(drainFor);
  }

  /** Settles until nothing is in flight; what it did meanwhile. */
  RelayPass drain(Duration atMost) {
    long began = ticker.nanos();
    RelayPass done = settleAgain();
    while (cycle.unsettled() > 0
        && ticker.since(began).compareTo(atMost) < 0
        && !Thread.currentThread().isInterrupted()) {
      waiter.await(DRAIN_STEP);
      done = done.plus(settleAgain());
    }
    return done;
  }

  /** A store that fails for a moment must not cost the outcomes that are still in flight. */
  private RelayPass settleAgain() {
    try {
      return cycle.settle();
    } catch (RuntimeException failed) {
      LOG.debug("settle failed while draining, trying again", failed);
      return RelayPass.NOTHING;
    }
  }

  /** One pass and the outcomes of all that it sent. */
  RelayPass runToTheEnd(Duration atMost) {
    return cycle.runOnce().plus(drain(atMost));
  }

  int unsettled() {
    return cycle.unsettled();
  }
}
