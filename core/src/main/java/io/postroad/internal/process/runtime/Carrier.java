package io.postroad.internal.process.runtime;

import io.postroad.command.CommandBus;
import io.postroad.internal.process.engine.Effect;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The command of a step that a node goes on with at once is not written: the process says that it
 * is carried, by whom and until when. What is found after that time is {@link Adrift}. Safe to use
 * from many threads.
 *
 * @param bus that carries
 */
record Carrier<T>(CommandBus<T> bus) {
  /** What is carried has the time of a lease and this much more at most: see {@link #until}. */
  private static final Duration SPARE = Duration.ofSeconds(1);

  /** Has what a process sends begin, if it is all that the process goes on with. */
  Optional<Supplier<UUID>> carry(
      T transaction, ProcessState state, List<Effect.Send> sends, Outgoing<T>.Requests requests) {
    return sends.size() == 1 && !sends.get(0).isUndo() && state.isSingle()
        ? bus.carry(transaction, requests.of(sends.get(0)))
        : Optional.empty();
  }

  /** The state after a transition whose only command is carried. */
  ProcessState carrying(ProcessState state, Effect.Send send, Instant now) {
    return state.carrying(
        Optional.of(new Carried(send.command(), bus.options().name(), until(state, now))));
  }

  /** It is in an index, so it stays as it was for as long as that lasts for the next step. */
  private Instant until(ProcessState state, Instant now) {
    Duration leaseFor = bus.options().leaseFor();
    Instant least = now.plus(leaseFor);
    return state
        .carried()
        .map(Carried::until)
        .filter(known -> !known.isBefore(least))
        .orElseGet(() -> least.plus(SPARE));
  }

  /** The state after any other transition: what was carried is so still, unless it has ended. */
  static ProcessState stillCarrying(ProcessState state) {
    return state.carrying(state.carried().filter(carried -> state.isRunning(carried.command())));
  }
}
