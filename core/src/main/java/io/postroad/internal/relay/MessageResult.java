package io.postroad.internal.relay;

import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The settlement to write for a claimed message, and the signal once it is written. */
public record MessageResult(Settlement settlement, OutboxSignal signal) {

  /**
   * Counts results that were written.
   *
   * @param rejected messages whose settlement came too late
   */
  public static RelayPass counted(List<MessageResult> results, Set<UUID> rejected) {
    int delivered = 0;
    int retried = 0;
    int released = 0;
    int dead = 0;
    int fenced = 0;
    for (MessageResult result : results) {
      Settlement settlement = result.settlement();
      if (rejected.contains(settlement.claim().id())) {
        fenced++;
      } else if (settlement.status() == MessageStatus.DISPATCHED) {
        delivered++;
      } else if (settlement.status() == MessageStatus.FAILED) {
        dead++;
      } else if (settlement.countsAsAttempt()) {
        retried++;
      } else {
        released++;
      }
    }
    return new RelayPass(0, delivered, retried, released, dead, fenced, false);
  }
}
