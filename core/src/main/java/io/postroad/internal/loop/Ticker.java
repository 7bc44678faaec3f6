package io.postroad.internal.loop;

import java.time.Duration;

/** A clock for spans only: it never jumps, and its readings mean nothing by themselves. */
@FunctionalInterface
public interface Ticker {
  public long nanos();

  public static Ticker system() {
    return System::nanoTime;
  }

  default Duration since(long reading) {
    return Duration.ofNanos(nanos() - reading);
  }
}
