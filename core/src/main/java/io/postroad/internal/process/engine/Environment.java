package io.postroad.internal.process.engine;

import io.postroad.process.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The clock, ids and answers that the engine takes from outside.
 *
 * @param now the time of the database
 * @param tick the smallest difference of times; no two events of a process have the same time
 * @param ids makes ids of commands
 * @param decider answers conditions
 * @param sendCheck tells which commands cannot be sent
 */
public record Environment(
    Instant now, Duration tick, Supplier<UUID> ids, Decider decider, SendCheck sendCheck) {

  /** Creates an environment in which every command can be sent. */
  public Environment(Instant now, Duration tick, Supplier<UUID> ids, Decider decider) {
    this(now, tick, ids, decider, (state, send) -> Optional.empty());
  }

  /** Returns why a command cannot be sent; empty when it can. */
  @FunctionalInterface
  public interface SendCheck {
    Optional<String> whyNot(ProcessState state, Effect.Send send);
  }

  /** Answers a condition, or throws when it cannot. */
  @FunctionalInterface
  public interface Decider {
    boolean decide(Node.Choice choice, Map<String, Object> data);
  }
}
