package io.postroad.test;

import io.postroad.internal.store.LaneOwnership;
import io.postroad.spi.LaneLease;
import java.time.Instant;
import java.util.Optional;

/** The owner of a lane and the end of its lease. Guarded by the lock of the database. */
final class LaneHolder {
  private LaneOwnership stored = LaneOwnership.NONE;
  private Instant leaseUntil = Instant.MIN;
  private boolean awake;

  LaneOwnership at(Instant now) {
    return new LaneOwnership(
        stored.node(),
        leaseUntil.isAfter(now),
        stored.epoch(),
        stored.crashes(),
        stored.progress());
  }

  /** Returns the node that owned the lane last and did not release it. */
  Optional<String> lastNode() {
    return Optional.ofNullable(stored.node());
  }

  boolean isHeldBy(LaneLease lease) {
    return awake && stored.node() != null && stored.epoch() == lease.epoch();
  }

  void take(LaneOwnership taken, Instant until) {
    stored = taken;
    leaseUntil = until;
    awake = true;
  }

  void renew(Instant until) {
    leaseUntil = until;
  }

  void release() {
    stored = stored.released();
  }

  void progressed() {
    stored = stored.advanced();
  }

  /** Ends the ownership after a crash: the owner remembers more than the database does. */
  void fallAsleep() {
    awake = false;
  }
}
