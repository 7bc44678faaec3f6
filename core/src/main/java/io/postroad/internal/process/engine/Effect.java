package io.postroad.internal.process.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What is to be done in the transaction that moves a process. Immutable. */
public sealed interface Effect {

  /** A command is given to the bus. */
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
   * A command is taken back, if nobody has begun it; the process hears what became of it by {@link
   * Input.RecallAnswered}.
   */
  record Recall(UUID command, String type) implements Effect {}
}
