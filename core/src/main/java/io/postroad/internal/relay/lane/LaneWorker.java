package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Announcer;
import io.postroad.internal.relay.RelayParts;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.OrderedStore;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of a lane that this node owns, from its take-over to its release or loss. */
final class LaneWorker implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final Duration DRAIN_STEP = Duration.ofMillis(20);

  private final OrderedStore<?> store;
  private final Tenure tenure;
  private final RelayParts parts;
  private final LaneCycle cycle;
  private final Pace pollPace;
  private final Waiter waiter;
  private final Announcer news;
  private final Runnable onLost;
  private final Gathering gathering = new Gathering();
  private volatile long aliveAt;

  /**
   * Makes the loop of a lane that this node has just taken.
   *
   * @param onLost called when this node has lost the lane
   */
  LaneWorker(
      OrderedStore<?> store, Tenure tenure, RelayParts parts, Waiter waiter, Runnable onLost) {
    this.store = store;
    this.tenure = tenure;
    this.parts = parts;
    this.waiter = waiter;
    this.onLost = onLost;
    this.cycle = new LaneCycle(store, tenure, parts, waiter);
    this.pollPace = parts.pollPace();
    this.news = parts.announcer();
    this.aliveAt = parts.ticker().nanos();
  }

  @Override
  public Duration runOnce() {
    if (tenure.isLost()) {
      return parts.options().sweepEvery();
    }
    LockSupport.parkNanos(gathering.pause().toNanos());
    long before = aliveAt;
    try {
      RelayPass pass = cycle.runOnce();
      gathering.passed(pass.full() ? 0 : pass.claimed(), parts.ticker().since(before));
      return pauseAfter(pass);
    } catch (LaneLostException lost) {
      lost(lost.verb());
      return parts.options().sweepEvery();
    } finally {
      aliveAt = parts.ticker().nanos();
    }
  }

  private Duration pauseAfter(RelayPass pass) {
    if (pass.didSomething()) {
      pollPace.reset();
    }
    if (pass.full()) {
      return Duration.ZERO;
    }
    Duration poll = pollPace.next();
    return poll.compareTo(cycle.patience()) < 0 ? poll : cycle.patience();
  }

  /** When its last pass ended, by the ticker. */
  long aliveAt() {
    return aliveAt;
  }

  int unsettled() {
    return tenure.isLost() ? 0 : cycle.unsettled();
  }

  Tenure tenure() {
    return tenure;
  }

  /** Called by whoever finds out that the lane is another's. */
  void lost(String verb) {
    if (!tenure.isLost()) {
      tenure.lose();
      LOG.warn(
          "{}: lane {} is lost, another node may own it; epoch={} verb={}",
          parts.options().name(),
          tenure.lease().lane(),
          tenure.lease().epoch(),
          verb);
      news.signal(
          new OutboxSignal.LaneLost(
              parts.options().name(), tenure.lease().lane(), tenure.lease().epoch(), verb));
      onLost.run();
    }
  }

  /** Clean hand-over: stop reading, drain, settle, release. */
  @Override
  public void finish() {
    try {
      drain(parts.options().drainFor());
    } finally {
      cycle.close();
    }
    if (!tenure.isLost()) {
      store.lanes().release(tenure.lease());
      news.signal(
          new OutboxSignal.LaneReleased(
              parts.options().name(), tenure.lease().lane(), tenure.lease().epoch()));
      store.wakeUps().signal();
    }
  }

  /** Gives up what is in flight, once the thread of this loop has ended. */
  void abandon() {
    cycle.close();
  }

  /**
   * One pass, what became of all that it sent, and the release. Whatever waits in place, for a
   * destination that does not answer, does not end it: others may come behind.
   */
  RelayPass runToTheEnd(Duration atMost) {
    RelayPass pass = RelayPass.NOTHING;
    try {
      RelayPass last;
      do {
        last = cycle.runOnce().plus(drain(atMost));
        pass = pass.plus(last);
      } while (last.claimed() > 0 && cycle.hasWaiting());
    } catch (LaneLostException lost) {
      lost(lost.verb());
    } finally {
      cycle.close();
    }
    if (!tenure.isLost()) {
      store.lanes().release(tenure.lease());
    }
    return pass;
  }

  /** Settles until nothing is in flight; what it did meanwhile. */
  private RelayPass drain(Duration atMost) {
    long began = parts.ticker().nanos();
    RelayPass done = settleAgain();
    while (!tenure.isLost()
        && cycle.isFlying()
        && parts.ticker().since(began).compareTo(atMost) < 0
        && !Thread.currentThread().isInterrupted()) {
      waiter.await(DRAIN_STEP);
      done = done.plus(settleAgain());
    }
    return done.plus(tenure.isLost() ? RelayPass.NOTHING : settleAgain());
  }

  /** A store that fails for a moment must not cost the outcomes that are still in flight. */
  private RelayPass settleAgain() {
    try {
      return cycle.finish();
    } catch (LaneLostException lost) {
      lost(lost.verb());
      return RelayPass.NOTHING;
    } catch (RuntimeException failed) {
      LOG.debug("settle failed while draining, trying again", failed);
      return RelayPass.NOTHING;
    }
  }
}
