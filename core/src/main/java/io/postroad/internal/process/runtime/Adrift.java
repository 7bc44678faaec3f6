package io.postroad.internal.process.runtime;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandRequest;
import io.postroad.internal.process.engine.Engine;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import io.postroad.internal.process.runtime.Outgoing.CannotMakeException;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcesses.Locked;
import io.postroad.transaction.Transactions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Commands that were {@linkplain Carrier carried} and not done in time get their row, and any node
 * may take them. Whoever still carries one then cannot end it: its end is the row. Safe to use from
 * many threads.
 *
 * <p>The row is written by itself, and a process whose command has one is told so at the next look:
 * nobody waits for a command who has locked a process, and a crash in between is made good by that
 * look.
 */
public final class Adrift<T> {
  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final CommandBus<T> bus;
  private final Definitions<T> definitions;
  private final ProcessCodec codec;
  private final ProcessReporter reporter;
  private final Outgoing<T> outgoing;
  private final ProcessExecutor<T> executor;

  public Adrift(
      ProcessStore<T> store,
      Transactions<T> transactions,
      CommandBus<T> bus,
      Definitions<T> definitions,
      ProcessCodec codec,
      ProcessReporter reporter,
      Outgoing<T> outgoing,
      ProcessExecutor<T> executor) {
    this.store = store;
    this.transactions = transactions;
    this.bus = bus;
    this.definitions = definitions;
    this.codec = codec;
    this.reporter = reporter;
    this.outgoing = outgoing;
    this.executor = executor;
  }

  /** A process whose command has its row does not have it carried; false when it has none yet. */
  boolean isBack(T transaction, ProcessState state, Locked locked) {
    boolean hasRow =
        state.carried().flatMap(carried -> bus.find(transaction, carried.command())).isPresent();
    if (hasRow) {
      store.processes().save(
          transaction,
          codec.changed(locked.process(), state.carrying(Optional.empty())),
          List.of());
    }
    return hasRow;
  }

  /** Writes the command of a process that stands so, or has its step fail where that cannot be. */
  void write(ProcessState state) {
    Carried carried = state.carried().orElseThrow();
    Engine engine = definitions.engine(state.type(), state.definition());
    try {
      CommandRequest request = outgoing.again(engine, state, carried.command());
      if (bus.writeCarried(request, "%s did not go on with it in time".formatted(carried.node()))) {
        reporter.adrift(state.id(), carried);
      } else if (bus.find(carried.command()).isEmpty()) {
        fail(
            state,
            carried,
            "its key %s belongs to another command".formatted(request.idempotencyKey()));
      }
    } catch (CannotMakeException changed) {
      fail(state, carried, Objects.requireNonNull(changed.getMessage()));
    }
  }

  /** Unless it was done just now. Whoever still carries it cannot move a process that has moved. */
  private void fail(ProcessState state, Carried carried, String error) {
    Replied failed =
        new Replied(
            carried.command(),
            new Reply.Failed(
                "%s did not go on with it in time, and %s".formatted(carried.node(), error)));
    transactions.run(
        transaction ->
            store
                .processes()
                .lockNow(transaction, state.id())
                .filter(locked -> codec.state(locked.process()).carried().equals(state.carried()))
                .ifPresent(
                    locked -> {
                      ProcessExecutor.Applied unused = executor.apply(transaction, locked, failed);
                    }));
  }
}
