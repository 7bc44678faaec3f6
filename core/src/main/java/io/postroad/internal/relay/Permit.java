package io.postroad.internal.relay;

/**
 * Answers whether a message may be sent now, and if not, why. {@link SettleRules#notSent} says what
 * becomes of a message that is not sent.
 */
public enum Permit {
  /** The message is sent. */
  SEND(""),

  /** The message is sent to find out whether its destination answers again. */
  PROBE(""),

  /** The message stays in the send window: its destination is down, and no other one answers. */
  WAIT(""),

  /** The message is blocked behind an earlier message of its key. */
  BLOCKED_KEY("waits behind an earlier message of its key"),

  /** The message is blocked until its destination is neither down nor paused. */
  BLOCKED_DESTINATION(""),

  /** The message is sent alone, and the store records its attempt before. */
  ALONE("sent alone because the relay crashed here before"),

  /** Expired leases used all attempts: this may be the message that kills its relay. */
  NO_ATTEMPT_LEFT(""),

  /** The lease of the message may end before its outcome is known. */
  LEASE_ENDING("claimed, but too late in its lease to be sent"),

  /** Another node may own the lane by now. */
  LANE_DEADLINE("taken too late: its lane may be another node's by now"),

  /** The worker of the message was stopped. */
  STOPPED("its worker was stopped before the work was done");

  private final String reason;

  Permit(String reason) {
    this.reason = reason;
  }

  public boolean isSend() {
    return this == SEND || this == PROBE;
  }

  String reason() {
    return reason;
  }
}
