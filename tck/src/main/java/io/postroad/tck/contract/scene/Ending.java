package io.postroad.tck.contract.scene;

import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import java.time.Duration;

/** Every way a claim can be settled, for tests that go through them all. */
public enum Ending {
  DELIVERED(MessageStatus.DISPATCHED),
  RETRY(MessageStatus.PENDING),
  RELEASE(MessageStatus.PENDING),
  DEAD(MessageStatus.FAILED);

  /** For how long a message stays away that is tried again. */
  public static final Duration DELAY = Duration.ofMinutes(5);

  private final MessageStatus status;

  Ending(MessageStatus status) {
    this.status = status;
  }

  /** How the message stands afterwards. */
  public MessageStatus status() {
    return status;
  }

  public Settlement of(Claim claim) {
    return switch (this) {
      case DELIVERED -> new Settlement.Delivered(claim);
      case RETRY -> new Settlement.Retry(claim, DELAY, "failed by the test");
      case RELEASE -> new Settlement.Release(claim, DELAY, "released by the test");
      case DEAD -> new Settlement.Dead(claim, "killed by the test");
    };
  }
}
