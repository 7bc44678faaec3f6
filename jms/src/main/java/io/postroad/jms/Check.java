package io.postroad.jms;

import java.time.Duration;

/** Checks of options, with errors that name them. */
final class Check {
  private Check() {}

  static void positive(int value, String option) {
    if (value < 1) {
      throw new IllegalArgumentException("%s must be 1 or more, got %d".formatted(option, value));
    }
  }

  static void atMost(int most, int value, String option) {
    if (value > most) {
      throw new IllegalArgumentException(
          "%s must be %d or less, got %d".formatted(option, most, value));
    }
  }

  static void positive(Duration value, String option) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          "%s must be longer than nothing, got %s".formatted(option, value));
    }
  }

  static void backoff(Duration after, Duration atMost, String options) {
    positive(after, options + ".reconnectAfter");
    if (atMost.compareTo(after) < 0) {
      throw new IllegalArgumentException(
          "%s.reconnectAtMost must not be shorter than reconnectAfter (%s), got %s"
              .formatted(options, after, atMost));
    }
  }
}
