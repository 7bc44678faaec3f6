package io.postroad.outbox;

import io.postroad.internal.relay.Verdict;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What a pass of a relay did.
 *
 * @param claimed messages taken
 * @param delivered settled as delivered
 * @param retried settled for another attempt
 * @param released given back, the attempt not counted
 * @param dead settled as dead letters
 * @param fenced settlements that came too late and changed nothing
 * @param full whether the claim came back full, so that more is probably due
 */
public record RelayPass(
    int claimed, int delivered, int retried, int released, int dead, int fenced, boolean full) {

  public static final RelayPass NOTHING = new RelayPass(0, 0, 0, 0, 0, 0, false);

  public static RelayPass settled(List<Verdict> verdicts, Set<UUID> rejected) {
    int delivered = 0;
    int retried = 0;
    int released = 0;
    int dead = 0;
    int fenced = 0;
    for (Verdict verdict : verdicts) {
      Settlement settlement = verdict.settlement();
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

  public RelayPass plusClaimed(int more, boolean full) {
    return plus(new RelayPass(more, 0, 0, 0, 0, 0, full));
  }

  /** Both together. */
  public RelayPass plus(RelayPass other) {
    return new RelayPass(
        claimed + other.claimed,
        delivered + other.delivered,
        retried + other.retried,
        released + other.released,
        dead + other.dead,
        fenced + other.fenced,
        full || other.full);
  }

  boolean settledSome() {
    return delivered + retried + released + dead + fenced > 0;
  }

  public boolean didSomething() {
    return claimed > 0 || settledSome();
  }
}
