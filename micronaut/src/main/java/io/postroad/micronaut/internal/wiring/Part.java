package io.postroad.micronaut.internal.wiring;

/**
 * A part of Postroad that runs. Parts start in the order of their phases and stop in the reverse
 * order; a stop waits for the work in flight, up to the part's {@code drainFor}.
 */
public record Part(Phase phase, String name, Runnable start, Runnable stop) {

  /** The order of starts: a part needs the parts of earlier phases. */
  public enum Phase {
    CHECKS,
    RELAY,
    INBOX,
    COMMANDS,
    RECEIVERS
  }
}
