package io.postroad.internal.process.runtime;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandNotHereException;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.process.engine.Result;
import io.postroad.internal.process.engine.Input.TimePassed;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.internal.process.engine.ProcessState.Carried;
import io.postroad.internal.process.engine.StepProgress;
import io.postroad.process.ProcessOptions;
import io.postroad.process.ProcessStatus;
import io.postroad.process.StepState;
import io.postroad.spi.ProcessBusyException;
import io.postroad.spi.ProcessFilter;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.ProcessStore.Locked;
import io.postroad.spi.StoredCommand;
import io.postroad.spi.StoredProcess;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Lets timers fire, moves what was written down, looks after processes that do not move, and
 * forgets old ones. Any number of nodes may do it at once. For one thread.
 */
public final class ProcessSweeper<T> implements BackgroundLoop.Pass {
  private static final int STEP = 100;
  private static final int PURGE_STEP = 1_000;
  private static final Duration POSTPONED = Duration.ofSeconds(10);

  /** Short: it is put off for all nodes, and the next one to look may have what it needs. */
  private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(1);

  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final CommandBus<T> bus;
  private final Definitions<T> definitions;
  private final ProcessOptions options;
  private final ProcessCodec codec;
  private final ProcessReporter reporter;
  private final ProcessExecutor<T> executor;
  private final ReplyApplier<T> waiting;
  private final ProcessReplies<T> replies;
  private final Adrift<T> adrift;
  private final Ticker ticker;
  private long reconciledAt;
  private boolean isPurging;
  private Optional<UUID> reconciledUpTo = Optional.empty();

  public ProcessSweeper(
      ProcessStore<T> store,
      Transactions<T> transactions,
      CommandBus<T> bus,
      Definitions<T> definitions,
      ProcessOptions options,
      ProcessCodec codec,
      ProcessReporter reporter,
      ProcessExecutor<T> executor,
      ReplyApplier<T> waiting,
      ProcessReplies<T> replies,
      Adrift<T> adrift,
      Ticker ticker) {
    this.store = store;
    this.transactions = transactions;
    this.bus = bus;
    this.definitions = definitions;
    this.options = options;
    this.codec = codec;
    this.reporter = reporter;
    this.executor = executor;
    this.waiting = waiting;
    this.replies = replies;
    this.adrift = adrift;
    this.ticker = ticker;
    this.reconciledAt = ticker.nanos();
  }

  @Override
  public Duration runOnce() {
    boolean more = applyWaiting() == STEP;
    more |= fire() == STEP;
    boolean isTime = ticker.since(reconciledAt).compareTo(options.reconcileEvery()) >= 0;
    if (isTime) {
      reconciledAt = ticker.nanos();
    }
    if (isTime || reconciledUpTo.isPresent()) {
      more |= reconcile() == STEP;
    }
    if (isTime || isPurging) {
      isPurging = purge() == PURGE_STEP;
      more |= isPurging;
    }
    return more ? Duration.ZERO : options.timersEvery();
  }

  public int applyWaiting() {
    return waiting.applyAll();
  }

  /** Lets the timers fire that are due; how many. One that fails does not keep others waiting. */
  public int fire() {
    int fired = 0;
    while (fired < STEP && fireOne()) {
      fired++;
    }
    return fired;
  }

  private boolean fireOne() {
    AtomicReference<@Nullable StoredProcess> which = new AtomicReference<>();
    AtomicBoolean isAtRequests = new AtomicBoolean();
    try {
      Optional<ProcessState> left =
          transactions.call(
              transaction -> {
                Optional<Locked> due = store.lockDue(transaction);
                which.set(due.map(Locked::process).orElse(null));
                isAtRequests.set(false);
                return due.flatMap(locked -> fire(transaction, locked, isAtRequests));
              });
      left.ifPresent(adrift::write);
    } catch (RuntimeException | Error failed) {
      StoredProcess process = which.get();
      if (process == null) {
        throw failed;
      }
      if (isAtRequests.get()) {
        fireWithoutRequests(process.id());
      }
      store.postpone(process.id(), putOff(process, failed));
    }
    return which.get() != null;
  }

  /** Told once of what other nodes have; they may look at once, if they know the process. */
  private Duration putOff(StoredProcess process, Throwable failed) {
    if (failed instanceof ProcessBusyException) {
      // It is moved by another transaction, so perhaps nothing is due any more.
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

  /** What is due of a process; or how it stands, if its command has to have a row first. */
  private Optional<ProcessState> fire(T transaction, Locked due, AtomicBoolean isAtRequests) {
    ProcessState state = codec.state(due.process());
    if (!isOver(state.due(), due.now())) {
      // Somebody has changed it by hand: it must not be found again and again.
      store.save(transaction, codec.changed(due.process(), state), List.of());
      return Optional.empty();
    }
    if (!state.requests().isEmpty()) {
      isAtRequests.set(true);
      executor.applyQueued(transaction, due, state);
      return Optional.empty();
    }
    return fireTimer(transaction, due, state, due.now());
  }

  /** Lets a timer fire that was due at this time, or looks for what is carried. */
  private Optional<ProcessState> fireTimer(
      T transaction, Locked due, ProcessState state, Instant at) {
    if (isOver(state.timer(), at)) {
      ProcessExecutor.Applied unused = executor.apply(transaction, due, new TimePassed());
      return Optional.empty();
    }
    boolean isAdrift =
        state.status().isActive() && isOver(state.carried().map(Carried::until), due.now());
    return !isAdrift || adrift.isBack(transaction, state, due)
        ? Optional.empty()
        : Optional.of(state);
  }

  /**
   * Lets the timer of a process fire whose queued requests cannot be done now, and perhaps never.
   * The timer waits for {@link #POSTPONED} first: a request that was queued before it comes before
   * it where another node can do it.
   */
  private void fireWithoutRequests(UUID process) {
    try {
      Optional<ProcessState> left =
          transactions.call(
              transaction ->
                  store
                      .lockNow(transaction, process)
                      .flatMap(
                          locked ->
                              fireTimer(
                                  transaction,
                                  locked,
                                  codec.state(locked.process()),
                                  locked.now().minus(POSTPONED))));
      left.ifPresent(adrift::write);
    } catch (ProcessBusyException | CommandNotHereException notNow) {
      // Another transaction or another node moves it; this node tries it again with the requests.
    } catch (RuntimeException | Error failed) {
      reporter.failed(process, "timer", failed);
    }
  }

  private static boolean isOver(Optional<Instant> time, Instant now) {
    return time.filter(at -> !at.isAfter(now)).isPresent();
  }

  /**
   * Looks at active processes to which nothing happened for a while: what they wait for must be
   * there. A reply that was kept and not told is told now; where nothing is pending, somebody is
   * told.
   *
   * @return how many were looked at
   */
  public int reconcile() {
    ProcessFilter quiet =
        ProcessFilter.all()
            .withStatuses(Set.of(ProcessStatus.RUNNING.name(), ProcessStatus.COMPENSATING.name()))
            .withUpdatedBefore(store.now().minus(options.quietFor()));
    ProcessFilter next = reconciledUpTo.map(quiet::withAfter).orElse(quiet);
    List<StoredProcess> processes = reporter.ask("list", () -> store.list(next, STEP));
    for (StoredProcess process : processes) {
      try {
        reconcile(process);
      } catch (ProcessBusyException moving) {
        // Another transaction moves it, or a dead node left one open: the next round asks again.
      } catch (RuntimeException | Error failed) {
        reporter.failed(process.id(), "check", failed);
      }
    }
    reconciledUpTo =
        processes.size() < STEP
            ? Optional.empty()
            : Optional.of(processes.get(processes.size() - 1).id());
    return processes.size();
  }

  private void reconcile(StoredProcess process) {
    ProcessState state = codec.state(process);
    List<UUID> waitsFor = new ArrayList<>();
    for (StepProgress progress : state.all()) {
      waitsFor.addAll(progress.running());
      if (progress.state() == StepState.UNDOING) {
        progress.undo().ifPresent(waitsFor::add);
      }
    }
    boolean isPending =
        state.isPaused()
            || !state.requests().isEmpty()
            || (state.carried().isPresent() && !isOver(state.due(), store.now()))
            || state.in(StepState.WAITING).findAny().isPresent();
    for (UUID id : waitsFor) {
      Optional<StoredCommand> command = bus.find(id);
      if (command.filter(known -> known.status().isFinished()).isPresent()) {
        tellOf(state.id(), command.get());
      }
      isPending |= command.isPresent();
    }
    if (!isPending) {
      reporter.stuck(
          state.id(),
          state.type(),
          waitsFor.isEmpty()
              ? "nothing is pending"
              : "it waits for commands that nobody knows: " + waitsFor);
    }
  }

  /** A reply that was kept and that the process has not heard of. */
  private void tellOf(UUID process, StoredCommand command) {
    boolean isSent = command.command().destination().isPresent();
    bus.findReply(command.id())
        .map(reply -> ProcessReplies.converted(reply, isSent))
        .ifPresent(
            reply ->
                transactions.run(
                    transaction -> {
                      Result.Outcome unused =
                          replies.takeNow(transaction, process, command.id(), reply);
                    }));
  }

  /** What this node starts processes with is needed, however long ago it was started itself. */
  int purge() {
    definitions.keep();
    int forgotten = reporter.ask("purge", () -> store.purge(options.retention(), PURGE_STEP));
    if (forgotten > 0) {
      reporter.forgotten(forgotten);
    }
    return forgotten;
  }
}
