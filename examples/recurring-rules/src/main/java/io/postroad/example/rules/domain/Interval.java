package io.postroad.example.rules.domain;

/** Checks the whole numbers of a pattern. */
final class Interval {
  private Interval() {}

  static int checked(String field, int value, int max) {
    if (value < 1 || value > max) {
      throw new InvalidRuleException(field, "must be from 1 to %d, got %d".formatted(max, value));
    }
    return value;
  }
}
