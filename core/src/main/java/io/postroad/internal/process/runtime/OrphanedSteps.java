package io.postroad.internal.process.runtime;

import io.postroad.command.CommandRequest;
import io.postroad.internal.command.StepCommands;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.internal.process.engine.Input.Reply;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import io.postroad.internal.process.runtime.Outgoing.CannotMakeException;
import io.postroad.spi.process.StoredProcesses.Locked;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes the rows of orphaned commands: they were handed off in memory and did not end in time. Any
 * node may take them then. Once the row exists, the original node cannot complete the command,
 * because its INSERT fails. Safe to use from many threads.
 *
 * <p>The row has a transaction of its own, and the next sweep notes it in the process. So no thread
 * waits for a command while it holds the lock of a process. A crash in between is made good by that
 * sweep.
 */
public final class OrphanedSteps<T> {
  private final ProcessStates<T> states;
  private final ProcessReporter reporter;
  private final Outgoing<T> outgoing;
  private final ProcessExecutor<T> executor;

  public OrphanedSteps(
      ProcessStates<T> states,
      ProcessReporter reporter,
      Outgoing<T> outgoing,
      ProcessExecutor<T> executor) {
    this.states = states;
    this.reporter = reporter;
    this.outgoing = outgoing;
    this.executor = executor;
  }

  /** Notes in a process that its command has a row; false when it has none yet. */
  boolean hasRow(T transaction, ProcessState state, Locked locked) {
    boolean hasRow =
        state
            .carried()
            .filter(carried -> outgoing.hasRow(transaction, carried.command()))
            .isPresent();
    if (hasRow) {
      states.saveChanged(transaction, locked, state.carrying(Optional.empty()));
    }
    return hasRow;
  }

  /** Writes the row of the orphaned command of a process, or fails its step. */
  void write(ProcessState state) {
    Carried orphan = state.carried().orElseThrow();
    try {
      CommandRequest request = outgoing.again(state, orphan.command());
      StepCommands.Orphan written = outgoing.writeOrphan(request, why(orphan));
      if (written == StepCommands.Orphan.WRITTEN) {
        reporter.orphaned(state.id(), orphan);
      } else if (written == StepCommands.Orphan.KEY_TAKEN) {
        String key = request.idempotencyKey();
        fail(state, orphan, "its key %s belongs to another command".formatted(key));
      }
    } catch (CannotMakeException changed) {
      fail(state, orphan, Objects.requireNonNull(changed.getMessage()));
    }
  }

  private static String why(Carried orphan) {
    return "%s did not go on with it in time".formatted(orphan.node());
  }

  /**
   * Fails the step, unless it has ended just now. The original node cannot end it any more, because
   * it cannot save a process that has moved.
   */
  private void fail(ProcessState state, Carried orphan, String error) {
    Reply reply = new Reply.Failed("%s, and %s".formatted(why(orphan), error));
    Replied failed = new Replied(orphan.command(), reply);
    states
        .transactions()
        .run(
            transaction ->
                states
                    .processes()
                    .lockNow(transaction, state.id())
                    .filter(
                        locked ->
                            states
                                .codec()
                                .state(locked.process())
                                .carried()
                                .equals(state.carried()))
                    .ifPresent(
                        locked -> {
                          ProcessExecutor.Applied unused =
                              executor.apply(transaction, locked, failed);
                        }));
  }
}
