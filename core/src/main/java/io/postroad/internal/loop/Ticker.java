package io.postroad.internal.loop;

import java.time.Duration;

/** A monotonic clock: the difference of two readings is the time between them. */
@FunctionalInterface
public interface Ticker {
  long nanos();

  static Ticker system() {
    return System::nanoTime;
  }

  default Duration since(long reading) {
    return Duration.ofNanos(nanos() - reading);
  }
}
