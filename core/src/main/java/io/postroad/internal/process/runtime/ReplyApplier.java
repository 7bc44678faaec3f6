package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.Input;
import io.postroad.internal.process.engine.Input.Replied;
import io.postroad.spi.WaitingReply;
import io.postroad.spi.ProcessBusyException;
import io.postroad.spi.ProcessStore;
import io.postroad.spi.ProcessStore.Locked;
import io.postroad.spi.hint.Threads;
import io.postroad.transaction.Transactions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Moves processes by replies that were written down first: the second of the two transactions that
 * a step in a branch costs where transactions on one process do not wait for each other. A crash
 * between the two leaves the reply, and {@link #applyAll} finds it. One that cannot be applied stays
 * where it is, and after some tries it is looked at less often. Safe to use from many threads.
 */
public final class ReplyApplier<T> {
  private static final int STEP = 100;

  /** About a third of a second, many times what others need to move a process. */
  private static final int BUSY_TRIES = 25;

  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final ProcessCodec codec;
  private final ProcessReporter reporter;
  private final ProcessExecutor<T> executor;
  private final FailingProcesses failing;

  public ReplyApplier(
      ProcessStore<T> store,
      Transactions<T> transactions,
      ProcessCodec codec,
      ProcessReporter reporter,
      ProcessExecutor<T> executor,
      FailingProcesses failing) {
    this.store = store;
    this.transactions = transactions;
    this.codec = codec;
    this.reporter = reporter;
    this.executor = executor;
    this.failing = failing;
  }

  /** What became of the replies of a process. */
  private enum Outcome {
    MOVED,
    FAILED,
    /** Another transaction has the process; the replies stay where they are. */
    BUSY
  }

  /**
   * Moves a process right after its reply was stored. Tries again for a third of a second while
   * another transaction has it; after that the next sweep moves it.
   */
  void applyNow(UUID process) {
    int tries = 1;
    while (apply(process) == Outcome.BUSY && tries < BUSY_TRIES) {
      Threads.pause(ThreadLocalRandom.current().nextLong(1L << Math.min(tries, 5)), () -> false);
      tries++;
    }
  }

  /** {@link #applyNow} for a thread that has others to look after: tries it once. */
  void tryApply(UUID process) {
    Outcome unused = apply(process);
  }

  /**
   * All that are written down, one process after the other; how many could be moved. Does not wait
   * for one that another transaction has, such as one that a dead node left open.
   */
  int applyAll() {
    if (!store.parksBranches()) {
      return 0;
    }
    Set<UUID> except = new HashSet<>(failing.leftOut());
    int moved = 0;
    int busy;
    do {
      List<UUID> processes = reporter.ask("parked", () -> store.parked(STEP, except));
      busy = 0;
      for (UUID process : processes) {
        Outcome outcome = apply(process);
        if (outcome == Outcome.MOVED) {
          moved++;
        } else if (outcome == Outcome.BUSY) {
          except.add(process);
          busy++;
        }
      }
    } while (busy == STEP);
    return moved;
  }

  private Outcome apply(UUID process) {
    try {
      applyAllOf(process);
      failing.moved(process);
      return Outcome.MOVED;
    } catch (ProcessBusyException busy) {
      return Outcome.BUSY;
    } catch (RuntimeException | Error failed) {
      switch (failing.failed(process)) {
        case ONE_MORE -> reporter.failed(process, "reply", failed);
        case LAST_STRAW -> reporter.setAside(process, FailingProcesses.TRIES, failed);
        case KNOWN -> reporter.stillAside(process, failed);
      }
      return Outcome.FAILED;
    }
  }

  private void applyAllOf(UUID process) {
    transactions.run(
        transaction -> {
          Optional<Locked> locked = store.lockNow(transaction, process);
          List<Input> replies = new ArrayList<>();
          for (WaitingReply arrival : store.takeParked(transaction, process)) {
            replies.add(new Replied(arrival.commandId(), codec.reply(arrival.reply())));
          }
          if (locked.isPresent()) {
            ProcessExecutor.Applied unused = executor.apply(transaction, locked.get(), replies);
          }
        });
  }
}
