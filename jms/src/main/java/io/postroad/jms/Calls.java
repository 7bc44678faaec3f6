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

/**
 * The calls whose outcomes are not all known. JMS calls block, as long as their client likes; this
 * is what bounds them. Thread-safe.
 */
final class Calls {
  private final long timeoutNanos;
  private final ScheduledExecutorService timer;
  private final Set<Call> open = ConcurrentHashMap.newKeySet();

  /**
   * @param timer runs what is to be done at a timeout
   */
  Calls(Duration timeout, ScheduledExecutorService timer) {
    this.timeoutNanos = timeout.toNanos();
    this.timer = timer;
  }

  /**
   * A new call, all of whose outcomes are known after the timeout.
   *
   * @param onTimeout what else is to be done then
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

  /** Ends all of them. */
  void close() {
    open.forEach(call -> call.unknown("sender is closed"));
  }
}
