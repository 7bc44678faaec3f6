package io.postroad.micronaut.internal.wiring;

/**
 * Something of Postroad that runs. They start in the order of their phases and stop in the reverse
 * one; a stop waits until what is in flight is done, or the part's {@code drainFor} is over.
 */
public record Part(Phase phase, String name, Runnable start, Runnable stop) {

  /** What starts later needs what starts before. */
  public enum Phase {
    CHECKS,
    RELAY,
    INBOX,
    COMMANDS,
    RECEIVERS
  }
}
