package io.postroad.outbox;

import java.time.Duration;

/** A clock for spans only: it never jumps, and its readings mean nothing by themselves. */
@FunctionalInterface
interface Ticker {
  long nanos();

  static Ticker system() {
    return System::nanoTime;
  }

  default Duration since(long reading) {
    return Duration.ofNanos(nanos() - reading);
  }
}
