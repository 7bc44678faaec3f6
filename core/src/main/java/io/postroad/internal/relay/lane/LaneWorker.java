package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Repeats {@link LaneCycle} for a lane, from its take-over to its release or loss. */
final class LaneWorker implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final Duration DRAIN_STEP = Duration.ofMillis(20);

  private final OwnedLane lane;
  private final LaneCycle cycle;
  private final Pace pollPace;
  private final Runnable onLost;
  private final ReadDelay readDelay = new ReadDelay();
  private volatile long aliveAt;

  /**
   * Makes the loop of a lane that this node has just taken.
   *
   * @param onLost called when this node has lost the lane
   */
  LaneWorker(OwnedLane lane, Runnable onLost) {
    this.lane = lane;
    this.onLost = onLost;
    this.cycle = new LaneCycle(lane);
    this.pollPace = lane.parts().pollPace();
    this.aliveAt = lane.ticker().nanos();
  }

  @Override
  public Duration runOnce() {
    if (lane.deadline().isLost()) {
      return lane.options().sweepEvery();
    }
    LockSupport.parkNanos(readDelay.next().toNanos());
    long before = aliveAt;
    try {
      RelayPass pass = cycle.runOnce();
      readDelay.passed(pass.full() ? 0 : pass.claimed(), lane.ticker().since(before));
      return waitAfter(pass);
    } catch (LaneLostException lost) {
      lost(lost.verb());
      return lane.options().sweepEvery();
    } finally {
      aliveAt = lane.ticker().nanos();
    }
  }

  private Duration waitAfter(RelayPass pass) {
    if (pass.didSomething()) {
      pollPace.reset();
    }
    if (pass.full()) {
      return Duration.ZERO;
    }
    Duration poll = pollPace.next();
    return poll.compareTo(cycle.longestWait()) < 0 ? poll : cycle.longestWait();
  }

  /** Returns when the last pass ended, by the lane.ticker(). */
  long aliveAt() {
    return aliveAt;
  }

  int unsettled() {
    return lane.deadline().isLost() ? 0 : cycle.unsettled();
  }

  OwnedLane lane() {
    return lane;
  }

  /** Records that another node may own the lane; called by the thread that finds out. */
  void lost(String verb) {
    if (!lane.deadline().isLost()) {
      lane.deadline().lose();
      LaneLease lease = lane.lease();
      LOG.warn(
          "{}: lane {} is lost, another node may own it; epoch={} verb={}",
          lane.options().name(),
          lease.lane(),
          lease.epoch(),
          verb);
      lane.events()
          .signal(
              new OutboxSignal.LaneLost(lane.options().name(), lease.lane(), lease.epoch(), verb));
      onLost.run();
    }
  }

  /** Hands the lane over: waits for sends in flight, settles them, releases the lane. */
  @Override
  public void finish() {
    try {
      drain(lane.options().drainFor());
    } finally {
      cycle.close();
    }
    if (!lane.deadline().isLost()) {
      LaneLease lease = lane.lease();
      lane.store().lanes().release(lease);
      lane.events()
          .signal(
              new OutboxSignal.LaneReleased(lane.options().name(), lease.lane(), lease.epoch()));
      lane.store().wakeUps().signal();
    }
  }

  /** Closes the sessions, once the thread of this loop has ended. */
  void abandon() {
    cycle.close();
  }

  /**
   * Runs passes until no message that was read waits for its first send, takes their outcomes, and
   * releases the lane. Messages that wait for a destination without an answer do not end it: there
   * may be others behind them.
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
    if (!lane.deadline().isLost()) {
      lane.store().lanes().release(lane.lease());
    }
    return pass;
  }

  /** Settles until no send is in flight; returns the sum of its passes. */
  private RelayPass drain(Duration atMost) {
    long began = lane.ticker().nanos();
    RelayPass done = settleAgain();
    while (!lane.deadline().isLost()
        && cycle.isInFlight()
        && lane.ticker().since(began).compareTo(atMost) < 0
        && !Thread.currentThread().isInterrupted()) {
      lane.waiter().await(DRAIN_STEP);
      done = done.plus(settleAgain());
    }
    return done.plus(lane.deadline().isLost() ? RelayPass.NOTHING : settleAgain());
  }

  /** Settles known outcomes; a store that fails is asked again, so that no outcome is lost. */
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
