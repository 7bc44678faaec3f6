package io.postroad.postgres.internal.queue;

import io.postroad.postgres.internal.log.Lanes;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one lease for all claims of an exclusive outbox: that of lane 0, which no relay of an ordered
 * outbox uses here. Taken or renewed with every claim, for as long as the claim.
 *
 * <p>It belongs to this opened store and not to a name: two nodes may have one name, and only one
 * of them holds it.
 */
public final class ExclusiveLease {
  private static final Logger LOG = LoggerFactory.getLogger(ExclusiveLease.class);

  private final Lanes lanes;
  private final String ofThisStore = "/" + UUID.randomUUID().toString().substring(0, 8);
  private @Nullable LaneLease lease;
  private boolean standsBy;

  public ExclusiveLease(Lanes lanes) {
    this.lanes = lanes;
  }

  /** Whether this owner may claim now. */
  public synchronized boolean mayClaim(ClaimRequest request) {
    String holder = request.owner() + ofThisStore;
    if (lease != null && lease.node().equals(holder)) {
      try {
        lanes.renew(lease, request.leaseFor());
        return true;
      } catch (LaneLostException lost) {
        lease = null;
      }
    }
    lease = lanes.take(0, holder, request.leaseFor()).orElse(null);
    if (lease == null && !standsBy) {
      tellHolder(request.owner());
    }
    standsBy = lease == null;
    return lease != null;
  }

  /** Tells once, when it begins to stand by. */
  private void tellHolder(String owner) {
    String holder = lanes.owner(0).orElse("a node that has just released it");
    if (holder.startsWith(owner + "/")) {
      LOG.warn(
          "{}: stands by; a node of the same name holds the exclusive lease: {}. It is another node,"
              + " or an earlier start of this one whose lease has not ended yet. Give each node a"
              + " name of its own",
          owner,
          holder);
    } else {
      LOG.info("{}: stands by; the exclusive lease is held by {}", owner, holder);
    }
  }

  public synchronized void release() {
    if (lease != null) {
      lanes.release(lease);
      lease = null;
    }
  }
}
