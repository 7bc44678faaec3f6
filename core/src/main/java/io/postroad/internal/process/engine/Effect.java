package io.postroad.internal.process.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** An order of the engine, carried out in the transaction of the input. Immutable. */
public sealed interface Effect {

  /** Sends a command. */
  record Send(
      UUID command,
      String type,
      String key,
      String step,
      boolean isUndo,
      Map<String, Object> payload,
      Duration delay,
      Optional<Duration> timeout)
      implements Effect {}

  /**
   * Recalls a command that no handler has begun; {@link Input.RecallAnswered} tells the process
   * whether that worked.
   */
  record Recall(UUID command, String type) implements Effect {}
}
