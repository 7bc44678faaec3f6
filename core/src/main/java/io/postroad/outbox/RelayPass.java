package io.postroad.outbox;

/**
 * Counts of one pass of a relay.
 *
 * @param claimed messages claimed or read
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

  public RelayPass plusClaimed(int more, boolean full) {
    return plus(new RelayPass(more, 0, 0, 0, 0, 0, full));
  }

  /** Returns the sum of both passes. */
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
