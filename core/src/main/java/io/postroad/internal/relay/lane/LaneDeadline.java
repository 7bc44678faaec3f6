package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Ticker;
import io.postroad.spi.LaneLease;
import java.time.Duration;

/**
 * Until when this node may act as the owner of a lane, by its own monotonic clock. The database
 * decides which node owns the lane. The deadline keeps a node that was frozen, or cut off from the
 * database, from handing over messages that another node may be sending by now.
 *
 * <p>Safe to use from two threads: one renews, one asks.
 */
final class LaneDeadline {
  private final LaneLease lease;
  private final Ticker ticker;
  private final Duration usable;
  private volatile long until;
  private volatile boolean lost;

  /** Begins at a reading that was taken before the store was asked for the lease. */
  LaneDeadline(LaneLease lease, Duration leaseFor, long askedAt, Ticker ticker) {
    this.lease = lease;
    this.ticker = ticker;
    this.usable = leaseFor.minus(leaseFor.dividedBy(6));
    renewed(askedAt);
  }

  LaneLease lease() {
    return lease;
  }

  void renewed(long askedAt) {
    until = askedAt + usable.toNanos();
  }

  boolean mayHandOver() {
    return !lost && ticker.nanos() - until < 0;
  }

  void lose() {
    lost = true;
  }

  boolean isLost() {
    return lost;
  }
}
