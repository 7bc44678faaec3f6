package io.postroad.internal.command;

import io.postroad.command.CommandOptions;
import io.postroad.internal.loop.Alarms;
import io.postroad.message.PostroadException;
import io.postroad.spi.CommandLostException;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a run, watched from its beginning to the end of its commit: it is interrupted
 * when it takes too long, and given up when it does not mind that. Then nothing of it is committed,
 * unless its commit was on its way already.
 *
 * <p>Called by one thread, once; may be given up by another. Whoever is first settles.
 */
final class WatchedUnit<T> {
  private final CommandParts<T> parts;
  private final Duration limit;
  private final BiConsumer<WatchedUnit<T>, TookTooLong> whenGivenUp;
  private final Thread runner = Thread.currentThread();
  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile @Nullable T transaction;
  private Alarms.@Nullable Alarm alarm;

  /**
   * A unit of this thread.
   *
   * @param whenGivenUp settles it on another thread, since this one does not come back
   */
  WatchedUnit(
      CommandParts<T> parts, Duration limit, BiConsumer<WatchedUnit<T>, TookTooLong> whenGivenUp) {
    this.parts = parts;
    this.limit = limit;
    this.whenGivenUp = whenGivenUp;
  }

  /**
   * Does the work in a transaction. Whether it is still in time is asked by the work itself, as the
   * last thing before what commits.
   *
   * @throws TookTooLong when it was interrupted and has rolled back
   * @throws Exception what the work threw
   */
  <R> R call(Transactions.Work<T, R, Exception> work) throws Exception {
    Alarms.Alarm watch =
        parts
            .alarms()
            .set(limit, CommandOptions.GRACE, () -> parts.threads().execute(this::giveUp));
    alarm = watch;
    try {
      return parts.transactions().<R, Exception>call(begun -> inTime(begun, work));
    } catch (TookTooLong | CommandLostException known) {
      parts.chains().rolledBack();
      throw known;
    } catch (Exception | Error failed) {
      parts.chains().rolledBack();
      requireInTime(failed);
      throw failed;
    } finally {
      boolean unused = watch.off();
      transaction = null;
    }
  }

  private <R> R inTime(T begun, Transactions.Work<T, R, Exception> work) throws Exception {
    transaction = begun;
    parts.chains().begin(begun);
    // Its connection may be somebody else's then, which must not be aborted.
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

  /** Throws when the work was interrupted; one that swallowed the interrupt must not commit. */
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

  /** The thread does not come back: somebody else settles. */
  void giveUp() {
    settle(() -> whenGivenUp.accept(this, new TookTooLong(limit, null)));
  }

  /** Nothing of it is ever committed, unless the commit is what it waits for. */
  void abort() {
    T open = transaction;
    try {
      if (open != null) {
        parts.store().abort(open);
      }
    } catch (RuntimeException | Error failed) {
      parts.news().storeFailed("abort", failed);
    }
  }

  Thread runner() {
    return runner;
  }

  /** A handler, or what comes after it, did not return in time. */
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
