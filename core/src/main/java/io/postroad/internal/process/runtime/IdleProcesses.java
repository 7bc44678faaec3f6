package io.postroad.internal.process.runtime;

import io.postroad.command.CommandBus;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.Result;
import io.postroad.internal.process.engine.StepProgress;
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.StoredProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Checks active processes that have not changed for a while, and purges processes that ended long
 * ago. For one thread; many nodes may do it at once.
 */
public final class IdleProcesses<T> {
  static final int BATCH = 100;
  static final int PURGE_BATCH = 1_000;

  private final ProcessStates<T> states;
  private final CommandBus<T> bus;
  private final Definitions<T> definitions;
  private final ProcessOptions options;
  private final ProcessReporter reporter;
  private final ProcessReplies<T> replies;
  private Optional<UUID> checkedUpTo = Optional.empty();

  public IdleProcesses(
      ProcessStates<T> states,
      CommandBus<T> bus,
      Definitions<T> definitions,
      ProcessOptions options,
      ProcessReporter reporter,
      ProcessReplies<T> replies) {
    this.states = states;
    this.bus = bus;
    this.definitions = definitions;
    this.options = options;
    this.reporter = reporter;
    this.replies = replies;
  }

  /** Returns whether the last check stopped after a full batch. */
  boolean hasMore() {
    return checkedUpTo.isPresent();
  }

  /**
   * Checks a batch of idle processes. Applies a stored reply that the process has not seen, and
   * reports a process that waits for nothing.
   *
   * @return how many were checked
   */
  int reconcile() {
    ProcessFilter idle =
        ProcessFilter.all()
            .withStatuses(Set.of(ProcessStatus.RUNNING.name(), ProcessStatus.COMPENSATING.name()))
            .withUpdatedBefore(states.store().now().minus(options.quietFor()));
    ProcessFilter next = checkedUpTo.map(idle::withAfter).orElse(idle);
    List<StoredProcess> processes =
        reporter.ask("list", () -> states.store().queries().list(next, BATCH));
    for (StoredProcess process : processes) {
      try {
        reconcile(states.codec().state(process));
      } catch (ProcessBusyException changing) {
        // Another transaction changes it, or a dead node left one open; the next round asks again.
      } catch (RuntimeException | Error failed) {
        reporter.failed(process.id(), "check", failed);
      }
    }
    checkedUpTo =
        processes.size() < BATCH
            ? Optional.empty()
            : Optional.of(processes.get(processes.size() - 1).id());
    return processes.size();
  }

  private void reconcile(ProcessState state) {
    List<UUID> waitsFor = new ArrayList<>();
    for (StepProgress step : state.all()) {
      waitsFor.addAll(step.running());
      if (step.state() == StepState.UNDOING) {
        step.undo().ifPresent(waitsFor::add);
      }
    }
    boolean isPending =
        state.isPaused()
            || !state.requests().isEmpty()
            || (state.carried().isPresent()
                && !DueProcesses.isOver(state.due(), states.store().now()))
            || state.in(StepState.WAITING).findAny().isPresent();
    for (UUID id : waitsFor) {
      Optional<StoredCommand> command = bus.find(id);
      if (command.filter(known -> known.status().isFinished()).isPresent()) {
        applyReply(state.id(), command.get());
      }
      isPending |= command.isPresent();
    }
    if (!isPending) {
      reporter.stuck(
          state.id(),
          state.type(),
          waitsFor.isEmpty()
              ? "nothing is pending"
              : "it waits for commands that are not stored: " + waitsFor);
    }
  }

  /** Applies a stored reply that the process has not seen. */
  private void applyReply(UUID process, StoredCommand command) {
    boolean isSent = command.command().destination().isPresent();
    bus.findReply(command.id())
        .map(reply -> ProcessReplies.converted(reply, isSent))
        .ifPresent(
            reply ->
                states
                    .transactions()
                    .run(
                        transaction -> {
                          Result.Outcome unused =
                              replies.takeNow(transaction, process, command.id(), reply);
                        }));
  }

  /** Purges a batch. Renews the definitions of this node first, however old they are. */
  int purge() {
    definitions.keep();
    int purged =
        reporter.ask("purge", () -> states.store().purge(options.retention(), PURGE_BATCH));
    if (purged > 0) {
      reporter.forgotten(purged);
    }
    return purged;
  }
}
