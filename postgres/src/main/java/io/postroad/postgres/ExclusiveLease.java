package io.postroad.postgres;

import io.postroad.store.ClaimRequest;
import io.postroad.store.LaneLease;
import io.postroad.store.LaneLostException;
import org.jspecify.annotations.Nullable;

/**
 * The one lease for all claims of an exclusive outbox: that of lane 0, which no relay of an ordered
 * outbox uses here. Taken or renewed with every claim, for as long as the claim.
 */
final class ExclusiveLease {
  private final Lanes lanes;
  private @Nullable LaneLease lease;

  ExclusiveLease(Lanes lanes) {
    this.lanes = lanes;
  }

  /** Whether this owner may claim now. */
  synchronized boolean mayClaim(ClaimRequest request) {
    if (lease != null && lease.node().equals(request.owner())) {
      try {
        lanes.renew(lease, request.leaseFor());
        return true;
      } catch (LaneLostException lost) {
        lease = null;
      }
    }
    lease = lanes.take(0, request.owner(), request.leaseFor()).orElse(null);
    return lease != null;
  }

  synchronized void release() {
    if (lease != null) {
      lanes.release(lease);
      lease = null;
    }
  }
}
