package io.postroad.internal.process.runtime;

import io.postroad.command.CommandNotHereException;
import io.postroad.internal.process.engine.Input.TimePassed;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Handles processes that are due: fires their timers, applies queued requests, and has the row of a
 * command written whose node may have died. For one thread; many nodes may do it at once.
 */
public final class DueProcesses<T> {
  static final int BATCH = 100;

  private static final Duration POSTPONED = Duration.ofSeconds(10);

  /** A short delay, because it holds for all nodes and the next node may be able to continue. */
  private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(1);

  private final ProcessStates<T> states;
  private final Definitions<T> definitions;
  private final ProcessReporter reporter;
  private final ProcessExecutor<T> executor;
  private final OrphanedSteps<T> orphaned;

  public DueProcesses(
      ProcessStates<T> states,
      Definitions<T> definitions,
      ProcessReporter reporter,
      ProcessExecutor<T> executor,
      OrphanedSteps<T> orphaned) {
    this.states = states;
    this.definitions = definitions;
    this.reporter = reporter;
    this.executor = executor;
    this.orphaned = orphaned;
  }

  /** Handles due processes; returns how many. A failure of one does not stop the others. */
  int fire() {
    int fired = 0;
    while (fired < BATCH && fireOne()) {
      fired++;
    }
    return fired;
  }

  private boolean fireOne() {
    AtomicReference<@Nullable StoredProcess> which = new AtomicReference<>();
    AtomicBoolean isAtRequests = new AtomicBoolean();
    try {
      Optional<ProcessState> left =
          states
              .transactions()
              .call(
                  transaction -> {
                    Optional<Locked> due = states.processes().lockDue(transaction);
                    which.set(due.map(Locked::process).orElse(null));
                    isAtRequests.set(false);
                    return due.flatMap(locked -> fire(transaction, locked, isAtRequests));
                  });
      left.ifPresent(orphaned::write);
    } catch (RuntimeException | Error failed) {
      StoredProcess process = which.get();
      if (process == null) {
        throw failed;
      }
      if (isAtRequests.get()) {
        fireWithoutRequests(process.id());
      }
      states.processes().postpone(process.id(), delayAfter(failed, process));
    }
    return which.get() != null;
  }

  /** Reports a failure, but a definition that only other nodes have once only. */
  private Duration delayAfter(Throwable failed, StoredProcess process) {
    if (failed instanceof ProcessBusyException) {
      // Another transaction changes the process, so perhaps nothing is due any more.
      return LEFT_TO_OTHERS;
    }
    if (!(failed instanceof CommandNotHereException)) {
      reporter.failed(process.id(), "timer", failed);
      return POSTPONED;
    }
    if (definitions.isNewToTell(process.type(), process.definition())) {
      reporter.notHere(process.id(), failed);
    }
    return definitions.has(process.type()) ? LEFT_TO_OTHERS : POSTPONED;
  }

  /** Handles one process; returns its state if a row for its command must be written first. */
  private Optional<ProcessState> fire(T transaction, Locked due, AtomicBoolean isAtRequests) {
    ProcessState state = states.codec().state(due.process());
    if (!isOver(state.due(), due.now())) {
      // An operator changed the row by hand; the saved due time keeps it from being found again.
      states.saveChanged(transaction, due, state);
      return Optional.empty();
    }
    if (!state.requests().isEmpty()) {
      isAtRequests.set(true);
      executor.applyQueued(transaction, due, state);
      return Optional.empty();
    }
    return fireTimer(transaction, due, state, due.now());
  }

  /** Fires a timer that was due at this time, or checks the carried command. */
  private Optional<ProcessState> fireTimer(
      T transaction, Locked due, ProcessState state, Instant at) {
    if (isOver(state.timer(), at)) {
      ProcessExecutor.Applied unused = executor.apply(transaction, due, new TimePassed());
      return Optional.empty();
    }
    boolean isOrphaned =
        state.status().isActive() && isOver(state.carried().map(Carried::until), due.now());
    return !isOrphaned || orphaned.hasRow(transaction, state, due)
        ? Optional.empty()
        : Optional.of(state);
  }

  /**
   * Fires the timer of a process whose queued requests fail, perhaps forever. The timer must be
   * overdue by {@link #POSTPONED}, so that another node can apply an earlier request first.
   */
  private void fireWithoutRequests(UUID process) {
    try {
      Optional<ProcessState> left =
          states
              .transactions()
              .call(
                  transaction ->
                      states
                          .processes()
                          .lockNow(transaction, process)
                          .flatMap(
                              locked ->
                                  fireTimer(
                                      transaction,
                                      locked,
                                      states.codec().state(locked.process()),
                                      locked.now().minus(POSTPONED))));
      left.ifPresent(orphaned::write);
    } catch (ProcessBusyException | CommandNotHereException notNow) {
      // Another transaction or node changes it; this node tries again together with the requests.
    } catch (RuntimeException | Error failed) {
      reporter.failed(process, "timer", failed);
    }
  }

  static boolean isOver(Optional<Instant> time, Instant now) {
    return time.filter(at -> !at.isAfter(now)).isPresent();
  }
}
