package io.postroad.jms;

import io.postroad.message.Message;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Limits the time of calls, because JMS calls may block without a limit. Thread-safe. */
final class Calls {
  private final long timeoutNanos;
  private final ScheduledExecutorService timer;
  private final Set<Call> open = ConcurrentHashMap.newKeySet();

  /**
   * @param timer runs the timeouts
   */
  Calls(Duration timeout, ScheduledExecutorService timer) {
    this.timeoutNanos = timeout.toNanos();
    this.timer = timer;
  }

  /**
   * Opens a call. After the timeout all its outcomes are known.
   *
   * @param onTimeout runs at a timeout, before the outcomes are completed
   */
  Call open(List<Message> messages, Runnable onTimeout) {
    Call call = new Call(messages, System.nanoTime() + timeoutNanos);
    open.add(call);
    try {
      Future<?> timeout =
          timer.schedule(() -> timeOut(call, onTimeout), timeoutNanos, TimeUnit.NANOSECONDS);
      call.whenAllKnown(
          () -> {
            open.remove(call);
            timeout.cancel(false);
          });
    } catch (RejectedExecutionException e) {
      open.remove(call);
      call.unknown("sender is closed");
    }
    return call;
  }

  private void timeOut(Call call, Runnable onTimeout) {
    onTimeout.run();
    call.unknown("no answer within %s".formatted(Duration.ofNanos(timeoutNanos)));
  }

  /** Completes all open calls. */
  void close() {
    open.forEach(call -> call.unknown("sender is closed"));
  }
}
