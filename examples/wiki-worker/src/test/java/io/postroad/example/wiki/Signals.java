package io.postroad.example.wiki;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Collects the signals of the outbox. */
final class Signals implements OutboxObserver {
  private static final long AT_MOST_SECONDS = 60;

  private final List<OutboxSignal> all = new ArrayList<>();

  @Override
  public synchronized void on(OutboxSignal signal) {
    all.add(signal);
    notifyAll();
  }

  /** Returns whether a signal of this kind has arrived. */
  synchronized <S extends OutboxSignal> boolean told(Class<S> kind, Predicate<S> wanted) {
    return all.stream().filter(kind::isInstance).map(kind::cast).anyMatch(wanted);
  }

  /** Waits for a number of signals of this kind. */
  synchronized <S extends OutboxSignal> S await(Class<S> kind, int count, Predicate<S> wanted)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(AT_MOST_SECONDS);
    while (true) {
      List<S> found = all.stream().filter(kind::isInstance).map(kind::cast).filter(wanted).toList();
      if (found.size() >= count) {
        return found.get(count - 1);
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new AssertionError(
            "%d of %d %s arrived".formatted(found.size(), count, kind.getSimpleName()));
      }
      wait(left);
    }
  }
}
