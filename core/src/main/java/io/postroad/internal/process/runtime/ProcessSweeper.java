package io.postroad.internal.process.runtime;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Ticker;
import io.postroad.process.ProcessOptions;
import java.time.Duration;

/**
 * The background work of a process manager: applies waiting replies, fires timers, checks idle
 * processes and purges old ones. Any number of nodes may run it at once. For one thread.
 */
public final class ProcessSweeper<T> implements BackgroundLoop.Pass {
  private final ReplyApplier<T> replies;
  private final DueProcesses<T> due;
  private final IdleProcesses<T> idle;
  private final ProcessOptions options;
  private final Ticker ticker;
  private long checkedAt;
  private boolean isPurging;

  public ProcessSweeper(
      ReplyApplier<T> replies,
      DueProcesses<T> due,
      IdleProcesses<T> idle,
      ProcessOptions options,
      Ticker ticker) {
    this.replies = replies;
    this.due = due;
    this.idle = idle;
    this.options = options;
    this.ticker = ticker;
    this.checkedAt = ticker.nanos();
  }

  @Override
  public Duration runOnce() {
    boolean more = replies.applyAll() == ReplyApplier.BATCH;
    more |= due.fire() == DueProcesses.BATCH;
    boolean isTime = ticker.since(checkedAt).compareTo(options.reconcileEvery()) >= 0;
    if (isTime) {
      checkedAt = ticker.nanos();
    }
    if (isTime || idle.hasMore()) {
      more |= idle.reconcile() == IdleProcesses.BATCH;
    }
    if (isTime || isPurging) {
      isPurging = idle.purge() == IdleProcesses.PURGE_BATCH;
      more |= isPurging;
    }
    return more ? Duration.ZERO : options.timersEvery();
  }

  /** Applies waiting replies and fires timers; returns the number of timers. */
  public int fire() {
    int unused = replies.applyAll();
    return due.fire();
  }

  /** Checks idle processes; returns how many. */
  public int reconcile() {
    return idle.reconcile();
  }
}
