package io.postroad.test;

import io.postroad.spi.LaneLease;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who owns a lane, and how its owners ended. Guarded by the lock of the database. */
final class LaneSeat {
  private @Nullable String owner;
  private Instant leaseUntil = Instant.MIN;
  private long epoch;
  private boolean awake;
  private boolean progress;
  private int crashes;

  Optional<String> owner(Instant now) {
    return Optional.ofNullable(owner).filter(node -> leaseUntil.isAfter(now));
  }

  /** Who owned it last and did not release it. */
  Optional<String> lastNode() {
    return Optional.ofNullable(owner);
  }

  boolean isFreeFor(String node, Instant now) {
    return owner(now).isEmpty() || node.equals(owner);
  }

  boolean isHeldBy(LaneLease lease) {
    return awake && owner != null && epoch == lease.epoch();
  }

  /** Gives the lane to a node and says who let its lease expire before. */
  Optional<String> take(String node, Instant until) {
    Optional<String> crashed = Optional.ofNullable(owner).filter(before -> !before.equals(node));
    crashes = crashed.isEmpty() ? 0 : progress ? 1 : crashes + 1;
    owner = node;
    leaseUntil = until;
    epoch++;
    awake = true;
    progress = false;
    return crashed;
  }

  long epoch() {
    return epoch;
  }

  int crashes() {
    return crashes;
  }

  void renew(Instant until) {
    leaseUntil = until;
  }

  void release() {
    owner = null;
  }

  void progressed() {
    progress = true;
  }

  /** The owner remembers more than the database does, so it no longer is the owner. */
  void fallAsleep() {
    awake = false;
  }
}
