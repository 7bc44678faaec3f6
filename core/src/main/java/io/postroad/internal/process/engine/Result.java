package io.postroad.internal.process.engine;

import io.postroad.process.ProcessEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What came of an input. Immutable.
 *
 * @param state where the process stands now
 * @param events what happened to it, to be logged
 * @param effects what is to be done in the same transaction
 * @param outcome what the input was to it
 * @param refusal why it was refused
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
   * An event and its time.
   *
   * @param after how long the node it is about had been where it was before; zero for a new one
   */
  public record Logged(ProcessEvent event, long seq, Instant at, Duration after) {
    public Logged(ProcessEvent event, long seq, Instant at) {
      this(event, seq, at, Duration.ZERO);
    }
  }

  /** What an input was to a process. */
  public enum Outcome {
    /** It moved the process. */
    TAKEN,
    /** It was known, or came too late to matter. */
    REPEATED,
    /** It was done although it had been given up. */
    LATE,
    /** It contradicts what was said before. */
    CONFLICTING,
    /** It belongs to nothing in this process. */
    FOREIGN,
    /** It is not possible now. */
    REFUSED
  }
}
