package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Ticker;
import io.postroad.spi.LaneLease;
import java.time.Duration;

/**
 * How long this node may act as the owner of a lane, by its own monotonic clock. The database
 * decides who owns the lane; this only keeps a node that was frozen, or cut off from the database,
 * from handing over messages that another node may be sending by now.
 *
 * <p>Safe to use from two threads: one renews, one asks.
 */
final class Tenure {
  private final LaneLease lease;
  private final Ticker ticker;
  private final Duration usable;
  private volatile long until;
  private volatile boolean lost;

  /** Begins at a reading that was taken before the lease was asked for. */
  Tenure(LaneLease lease, Duration leaseFor, long askedAt, Ticker ticker) {
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
