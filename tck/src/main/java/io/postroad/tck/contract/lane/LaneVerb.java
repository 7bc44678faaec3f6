package io.postroad.tck.contract.lane;

import io.postroad.spi.LaneLease;
import io.postroad.spi.Settlement;
import io.postroad.tck.StoreUnderTest;
import java.time.Duration;
import java.util.List;

/** Every verb that a lost lease must not get through, with something to do for each. */
public enum LaneVerb {
  RENEW,
  READ,
  READ_ON,
  ADVANCE,
  ADVANCE_AND_HOLD,
  HELD_KEYS,
  TAKE_HELD,
  SETTLE_HELD,
  DESTINATIONS_ASIDE,
  OPEN,
  ADMIT_DUE;

  public void run(LaneScene scene) {
    LaneLease lease = scene.owner.lease();
    switch (this) {
      case RENEW -> scene.store().lanes().renew(lease, StoreUnderTest.LEASE);
      case READ -> scene.store().log().read(lease, lease.position(), 10);
      case READ_ON -> scene.owner.read(10);
      case ADVANCE -> scene.owner.settle(scene.readBatch.end());
      case ADVANCE_AND_HOLD ->
          scene.store().log().advance(lease, scene.readBatch.end(), List.of(retry(scene)));
      case HELD_KEYS -> scene.owner.blockedKeys();
      case TAKE_HELD -> scene.owner.takeBlocked(10);
      case SETTLE_HELD -> scene.owner.settleBlocked(new Settlement.Delivered(scene.heldClaim));
      case DESTINATIONS_ASIDE -> scene.store().blockedMessages().destinations(lease);
      case OPEN -> scene.store().blockedMessages().open(lease, "orders", 10);
      case ADMIT_DUE -> scene.owner.admitDue(10);
    }
  }

  private static Settlement retry(LaneScene scene) {
    return new Settlement.Retry(
        scene.readBatch.entries().get(0).claim(), Duration.ofMinutes(1), "too late");
  }
}
