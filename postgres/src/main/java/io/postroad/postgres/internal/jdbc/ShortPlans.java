package io.postroad.postgres.internal.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets the server keep the plan of a statement on a caller's connection, but not for ever: one that
 * was made while the table was small is a sequential scan, and the caller's settings are not ours
 * to change. The text changes from time to time, so that the driver has it planned anew; planning
 * it each time would cost more than running it. Tables grow fastest in the beginning, so plans are
 * kept for 20 seconds at first, then twice as long each time, and at last for five minutes.
 */
final class ShortPlans {
  private static final long SHORTEST_SECONDS = 20;
  private static final long LONGEST_SECONDS = 300;
  private static final long BEGAN = System.nanoTime();

  /** The texts of this age. They are few: the statements of the stores, and what goes together. */
  private static volatile Texts current = new Texts("", new ConcurrentHashMap<>());

  private record Texts(String age, Map<List<String>, String> joined) {}

  private ShortPlans() {}

  /** The text of some statements in one, the same instance for as long as it stays the same. */
  static String of(List<String> statements) {
    String age = age(Duration.ofNanos(System.nanoTime() - BEGAN).toSeconds());
    Texts texts = current;
    if (!texts.age().equals(age)) {
      texts = new Texts(age, new ConcurrentHashMap<>());
      current = texts;
    }
    return texts
        .joined()
        .computeIfAbsent(statements, all -> "/* " + age + " */ " + String.join(";\n", all));
  }

  /** Which plans are kept after so many seconds. */
  static String age(long seconds) {
    int doublings = Long.SIZE - Long.numberOfLeadingZeros(seconds / SHORTEST_SECONDS);
    return seconds < LONGEST_SECONDS
        ? Integer.toString(doublings)
        : "r" + seconds / LONGEST_SECONDS;
  }
}
