package io.postroad.internal.command;

import io.postroad.internal.loop.Alarms;
import io.postroad.message.PostroadException;
import io.postroad.spi.CommandLostException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of a run, watched from its beginning to the end of its commit. Its thread is
 * interrupted when it takes too long, and given up when it ignores that. Nothing of a transaction
 * that was given up is committed, unless its commit was already on its way.
 *
 * <p>Called once by one thread; another thread may give it up. The first of both settles it.
 */
final class WatchedTransaction<T> {
  private final CommandParts<T> parts;
  private final Duration limit;
  private final boolean isRepeat;
  private final BiConsumer<WatchedTransaction<T>, TookTooLong> whenGivenUp;
  private final Thread runner = Thread.currentThread();
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile @Nullable T transaction;
  private Alarms.@Nullable Alarm alarm;
  private boolean isMarked;

  /**
   * Makes a transaction for this thread.
   *
   * @param isRepeat whether the same work has failed once because a row had changed
   * @param whenGivenUp settles it on another thread, since this one does not come back
   */
  WatchedTransaction(
      CommandParts<T> parts,
      Duration limit,
      boolean isRepeat,
      BiConsumer<WatchedTransaction<T>, TookTooLong> whenGivenUp) {
    this.parts = parts;
    this.limit = limit;
    this.isRepeat = isRepeat;
    this.whenGivenUp = whenGivenUp;
  }

  boolean isRepeat() {
    return isRepeat;
  }

  /** Notes whether the store has marked the transaction, so that it knows it from another one. */
  void marked(boolean byStore) {
    isMarked = byStore;
  }

  boolean isMarked() {
    return isMarked;
  }

  /**
   * Does the work in a transaction. The work itself calls {@link #requireInTime} as the last thing
   * before the commit.
   *
   * @throws TookTooLong when it was interrupted and has rolled back
   * @throws Exception from the work
   */
  <R> R call(Transactions.Work<T, R, Exception> work) throws Exception {
    Alarms.Alarm watch = parts.threads().watch(limit, this::giveUp);
    alarm = watch;
    try {
      return parts.transactions().<R, Exception>call(begun -> inTime(begun, work));
    } catch (TookTooLong | CommandLostException known) {
      parts.threads().rolledBack();
      throw known;
    } catch (Exception | Error failed) {
      parts.threads().rolledBack();
      requireInTime(failed);
      throw failed;
    } finally {
      boolean unused = watch.off();
      transaction = null;
    }
  }

  private <R> R inTime(T begun, Transactions.Work<T, R, Exception> work) throws Exception {
    transaction = begun;
    parts.threads().begin(begun);
    // After the commit the pool may lend the connection to others, and it must not be aborted.
    parts.transactions().afterCommitOf(begun, () -> transaction = null);
    try {
      return work.call(begun);
    } catch (TookTooLong | CommandLostException known) {
      throw known;
    } catch (Exception | Error failed) {
      // Before the rollback, which must not fail because of the interrupt.
      requireInTime(failed);
      throw failed;
    }
  }

  /** Throws when the work was interrupted; work that ignored the interrupt must not commit. */
  void requireInTime() {
    requireInTime(null);
  }

  private void requireInTime(@Nullable Throwable failed) {
    Alarms.Alarm watch = alarm;
    if (watch != null && watch.rang()) {
      throw new TookTooLong(limit, failed);
    }
  }

  /** Settles it, unless it was given up. */
  void settle(Runnable settlement) {
    if (settled.compareAndSet(false, true)) {
      settlement.run();
    }
  }

  void interrupt() {
    runner.interrupt();
  }

  /** Settles it on this thread, because its own thread does not come back. */
  void giveUp() {
    settle(() -> whenGivenUp.accept(this, new TookTooLong(limit, null)));
  }

  /** Makes sure that it never commits, unless its thread is waiting for the commit. */
  void abort() {
    T open = transaction;
    try {
      if (open != null) {
        parts.store().abort(open);
      }
    } catch (RuntimeException | Error failed) {
      parts.events().storeFailed("abort", failed);
    }
  }

  Thread runner() {
    return runner;
  }

  /** Thrown when a handler, or the writes after it, did not return in time. */
  static final class TookTooLong extends PostroadException {
    private static final long serialVersionUID = 1L;

    private final Duration limit;

    TookTooLong(Duration limit, @Nullable Throwable cause) {
      super(
          "the handler, or what is written after it, did not return within %s and was interrupted"
              .formatted(limit),
          cause);
      this.limit = limit;
    }

    Duration limit() {
      return limit;
    }
  }
}
