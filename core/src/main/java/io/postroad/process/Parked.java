package io.postroad.process;

import io.postroad.process.Happening.Replied;
import io.postroad.store.ProcessArrival;
import io.postroad.store.ProcessStore;
import io.postroad.store.ProcessStore.Locked;
import io.postroad.store.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Moves processes by replies that were written down first: the second of the two transactions that
 * a step in a branch costs where transactions on one process do not wait for each other. A crash
 * between the two leaves the reply, and {@link #moveAll} finds it. One that cannot be applied stays
 * where it is, and after some tries it is looked at less often. Safe to use from many threads.
 */
final class Parked<T> {
  private static final int STEP = 100;

  private final ProcessStore<T> store;
  private final Transactions<T> transactions;
  private final ProcessTexts texts;
  private final ProcessNews news;
  private final Mover<T> mover;
  private final Setbacks setbacks;

  Parked(
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

  /** Right after the reply was written down; false when it failed, and the next look does it. */
  boolean moveNow(UUID process) {
    try {
      move(process);
      setbacks.moved(process);
      return true;
    } catch (RuntimeException | Error failed) {
      switch (setbacks.failed(process)) {
        case ONE_MORE -> news.failed(process, "reply", failed);
        case LAST_STRAW -> news.setAside(process, Setbacks.TRIES, failed);
        case KNOWN -> news.stillAside(process, failed);
      }
      return false;
    }
  }

  /** All that are written down, one process after the other; how many could be moved. */
  int moveAll() {
    if (!store.parksBranches()) {
      return 0;
    }
    List<UUID> processes = news.ask("parked", () -> store.parked(STEP, setbacks.leftOut()));
    return (int) processes.stream().filter(this::moveNow).count();
  }

  private void move(UUID process) {
    transactions.run(
        transaction -> {
          Optional<Locked> locked = store.lock(transaction, process);
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
