package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What the engine cannot know by itself.
 *
 * @param now by the database's clock
 * @param tick the smallest step of time that is kept; events of one process are never at one time
 * @param ids of commands
 * @param decider answers conditions
 * @param sendCheck knows which commands cannot be sent
 */
public record Environment(Instant now, Duration tick, Supplier<UUID> ids, Decider decider, SendCheck sendCheck) {

  /** One in which every command can be sent. */
  public Environment(Instant now, Duration tick, Supplier<UUID> ids, Decider decider) {
    this(now, tick, ids, decider, (state, send) -> Optional.empty());
  }

  /** Says why a command cannot be sent; empty when it can. */
  @FunctionalInterface
  public interface SendCheck {
    Optional<String> whyNot(ProcessState state, Effect.Send send);
  }

  /** Answers a condition. One that throws could not be answered. */
  @FunctionalInterface
  public interface Decider {
    boolean decide(Node.Choice choice, Map<String, Object> data);
  }
}
