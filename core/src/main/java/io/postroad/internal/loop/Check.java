package io.postroad.internal.loop;

import java.time.Duration;

/** Checks options, so that every refusal reads alike. */
public final class Check {
  private Check() {}

  public static void atLeast(int least, int value, String what) {
    if (value < least) {
      throw new IllegalArgumentException(
          "expected %s to be %d or more, got %d".formatted(what, least, value));
    }
  }

  public static void atMost(int most, int value, String what) {
    if (value > most) {
      throw new IllegalArgumentException(
          "expected %s to be %d or less, got %d".formatted(what, most, value));
    }
  }

  public static void positive(Duration value, String what) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "expected %s to be a positive duration, got %s".formatted(what, value));
    }
  }

  public static void notNegative(Duration value, String what) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(
          "expected %s to be zero or more, got %s".formatted(what, value));
    }
  }

  public static void notBelow(Duration least, Duration value, String what, String leastWhat) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "expected %s to be at least %s (%s), got %s".formatted(what, leastWhat, least, value));
    }
  }
}
