package io.postroad.internal.process.engine;

import io.postroad.process.ProcessEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The result of an input. Immutable.
 *
 * @param state the next state
 * @param events the entries for the log
 * @param effects the orders for the same transaction
 * @param outcome how the process took the input
 * @param refusal why it refused the input
 */
public record Result(
    ProcessState state,
    List<Logged> events,
    List<Effect> effects,
    Outcome outcome,
    Optional<String> refusal) {
  public Result {
    events = List.copyOf(events);
    effects = List.copyOf(effects);
  }

  /**
   * An event with its number and time.
   *
   * @param after how long its node had been in its state before; zero for a new node
   */
  public record Logged(ProcessEvent event, long seq, Instant at, Duration after) {
    public Logged(ProcessEvent event, long seq, Instant at) {
      this(event, seq, at, Duration.ZERO);
    }
  }

  /** How a process took an input. */
  public enum Outcome {
    /** It changed the process. */
    TAKEN,
    /** It was known already, or came too late to matter. */
    REPEATED,
    /** It completed a step that had been given up. */
    LATE,
    /** It contradicts an earlier reply. */
    CONFLICTING,
    /** It belongs to no step of this process. */
    FOREIGN,
    /** It is not possible now. */
    REFUSED
  }
}
