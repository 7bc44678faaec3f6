package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.spi.hint.Threads;
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.spi.process.StoredProcesses.Locked;
import io.postroad.spi.process.WaitingReplies;
import io.postroad.spi.process.WaitingReply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Applies waiting replies: the second of the two transactions of a step in a branch, in stores
 * whose transactions on one process do not wait for each other. After a crash between the two,
 * {@link #applyAll} finds the reply. A reply that cannot be applied stays in the store and is tried
 * less often after some failures. Safe to use from many threads.
 */
public final class ReplyApplier<T> {
  static final int BATCH = 100;

  /** About a third of a second, many times longer than a transaction on a process. */
  private static final int BUSY_TRIES = 25;

  private final ProcessStates<T> states;
  private final ProcessReporter reporter;
  private final ProcessExecutor<T> executor;
  private final FailingProcesses failing;

  public ReplyApplier(
      ProcessStates<T> states,
      ProcessReporter reporter,
      ProcessExecutor<T> executor,
      FailingProcesses failing) {
    this.states = states;
    this.reporter = reporter;
    this.executor = executor;
    this.failing = failing;
  }

  /** How an attempt ended. */
  private enum Outcome {
    APPLIED,
    FAILED,
    /** Another transaction has the process locked. */
    BUSY
  }

  /**
   * Applies the replies of a process right after one was stored. Tries for a third of a second
   * while another transaction has the process locked, and then leaves it to the next sweep.
   */
  void applyNow(UUID process) {
    int tries = 1;
    while (apply(process) == Outcome.BUSY && tries < BUSY_TRIES) {
      Threads.pause(ThreadLocalRandom.current().nextLong(1L << Math.min(tries, 5)), () -> false);
      tries++;
    }
  }

  /** Applies the replies of a process if no other transaction has it locked. */
  void tryApply(UUID process) {
    Outcome unused = apply(process);
  }

  /**
   * Applies all waiting replies, one process after the other. Skips a process that another
   * transaction has locked, such as one that a dead node left open.
   *
   * @return the number of processes
   */
  int applyAll() {
    Optional<WaitingReplies<T>> waiting = states.store().waitingReplies();
    return waiting.isEmpty() ? 0 : applyAll(waiting.get());
  }

  private int applyAll(WaitingReplies<T> waiting) {
    Set<UUID> except = new HashSet<>(failing.leftOut());
    int applied = 0;
    int busy;
    do {
      List<UUID> processes = reporter.ask("waitingReplies", () -> waiting.processes(BATCH, except));
      busy = 0;
      for (UUID process : processes) {
        Outcome outcome = apply(process);
        if (outcome == Outcome.APPLIED) {
          applied++;
        } else if (outcome == Outcome.BUSY) {
          except.add(process);
          busy++;
        }
      }
    } while (busy == BATCH);
    return applied;
  }

  private Outcome apply(UUID process) {
    try {
      applyAllOf(process);
      failing.succeeded(process);
      return Outcome.APPLIED;
    } catch (ProcessBusyException busy) {
      return Outcome.BUSY;
    } catch (RuntimeException | Error failed) {
      switch (failing.failed(process)) {
        case RETRY -> reporter.failed(process, "reply", failed);
        case LEFT_OUT -> reporter.setAside(process, FailingProcesses.TRIES, failed);
        case STILL_LEFT_OUT -> reporter.stillAside(process, failed);
      }
      return Outcome.FAILED;
    }
  }

  private void applyAllOf(UUID process) {
    WaitingReplies<T> waiting = states.store().waitingReplies().orElseThrow();
    states
        .transactions()
        .run(
            transaction -> {
              Optional<Locked> locked = states.processes().lockNow(transaction, process);
              List<Input> replies = new ArrayList<>();
              for (WaitingReply reply : waiting.take(transaction, process)) {
                replies.add(new Replied(reply.commandId(), states.codec().reply(reply.reply())));
              }
              if (locked.isPresent()) {
                ProcessExecutor.Applied unused = executor.apply(transaction, locked.get(), replies);
              }
            });
  }
}
