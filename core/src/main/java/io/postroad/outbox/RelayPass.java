package io.postroad.outbox;

import io.postroad.store.MessageStatus;
import io.postroad.store.Settlement;
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

  static final RelayPass NOTHING = new RelayPass(0, 0, 0, 0, 0, 0, false);

  static RelayPass settled(List<Verdict> verdicts, Set<UUID> rejected) {
    RelayPass pass = NOTHING;
    for (Verdict verdict : verdicts) {
      Settlement settlement = verdict.settlement();
      boolean fenced = rejected.contains(settlement.claim().id());
      pass = pass.plus(fenced ? FENCED : of(settlement));
    }
    return pass;
  }

  private static final RelayPass FENCED = new RelayPass(0, 0, 0, 0, 0, 1, false);

  private static RelayPass of(Settlement settlement) {
    if (settlement.status() == MessageStatus.DISPATCHED) {
      return new RelayPass(0, 1, 0, 0, 0, 0, false);
    }
    if (settlement.status() == MessageStatus.FAILED) {
      return new RelayPass(0, 0, 0, 0, 1, 0, false);
    }
    return settlement.countsAsAttempt()
        ? new RelayPass(0, 0, 1, 0, 0, 0, false)
        : new RelayPass(0, 0, 0, 1, 0, 0, false);
  }

  RelayPass plusClaimed(int more, boolean full) {
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

  boolean didSomething() {
    return claimed + delivered + retried + released + dead + fenced > 0;
  }
}
