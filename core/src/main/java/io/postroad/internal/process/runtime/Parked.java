package io.postroad.internal.process.runtime;

import io.postroad.internal.process.engine.Happening;
import io.postroad.internal.process.engine.Happening.Replied;
import io.postroad.spi.ProcessArrival;
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
 * between the two leaves the reply, and {@link #moveAll} finds it. One that cannot be applied stays
 * where it is, and after some tries it is looked at less often. Safe to use from many threads.
 */
public final class Parked<T> {
  private static final int STEP = 100;

  /** About a third of a second, many times what others need to move a process. */
  private static final int BUSY_TRIES = 25;

  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final ProcessTexts texts;
  private final ProcessNews news;
  private final Mover<T> mover;
  private final Setbacks setbacks;

  public Parked(
      ProcessStore<T> store,
      Transactions<T> transactions,
      ProcessTexts texts,
      ProcessNews news,
      Mover<T> mover,
      Setbacks setbacks) {
    this.store = store;
    this.transactions = transactions;
    this.texts = texts;
    this.news = news;
    this.mover = mover;
    this.setbacks = setbacks;
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
  void moveNow(UUID process) {
    int tries = 1;
    while (move(process) == Outcome.BUSY && tries < BUSY_TRIES) {
      Threads.pause(ThreadLocalRandom.current().nextLong(1L << Math.min(tries, 5)), () -> false);
      tries++;
    }
  }

  /** {@link #moveNow} for a thread that has others to look after: tries it once. */
  void tryToMove(UUID process) {
    Outcome unused = move(process);
  }

  /**
   * All that are written down, one process after the other; how many could be moved. Does not wait
   * for one that another transaction has, such as one that a dead node left open.
   */
  int moveAll() {
    if (!store.parksBranches()) {
      return 0;
    }
    Set<UUID> except = new HashSet<>(setbacks.leftOut());
    int moved = 0;
    int busy;
    do {
      List<UUID> processes = news.ask("parked", () -> store.parked(STEP, except));
      busy = 0;
      for (UUID process : processes) {
        Outcome outcome = move(process);
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

  private Outcome move(UUID process) {
    try {
      apply(process);
      setbacks.moved(process);
      return Outcome.MOVED;
    } catch (ProcessBusyException busy) {
      return Outcome.BUSY;
    } catch (RuntimeException | Error failed) {
      switch (setbacks.failed(process)) {
        case ONE_MORE -> news.failed(process, "reply", failed);
        case LAST_STRAW -> news.setAside(process, Setbacks.TRIES, failed);
        case KNOWN -> news.stillAside(process, failed);
      }
      return Outcome.FAILED;
    }
  }

  private void apply(UUID process) {
    transactions.run(
        transaction -> {
          Optional<Locked> locked = store.lockNow(transaction, process);
          List<Happening> replies = new ArrayList<>();
          for (ProcessArrival arrival : store.takeParked(transaction, process)) {
            replies.add(new Replied(arrival.commandId(), texts.reply(arrival.reply())));
          }
          if (locked.isPresent()) {
            Mover.Moved unused = mover.move(transaction, locked.get(), replies);
          }
        });
  }
}
