package io.postroad.benchmarks.outbox;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The read position of a log: everything up to {@code head} without the missing positions.
 *
 * @param head the highest read position
 * @param missing lower positions that were not found, with the monotonic time of that: their
 *     transactions are still open, or rolled back
 */
record MongoLogPosition(long head, SortedMap<Long, Long> missing) {
  /** Twice the longest lifetime of a transaction on the server. */
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(120);

  MongoLogPosition {
    missing = Collections.unmodifiableSortedMap(missing);
  }

  /** Returns the position after these rows, which are ascending and complete up to the last one. */
  MongoLogPosition after(Iterable<MongoRow> rows, long now) {
    SortedMap<Long, Long> left = new TreeMap<>(missing);
    left.values().removeIf(noticed -> now - noticed > GIVE_UP_NANOS);
    long last = head;
    for (MongoRow row : rows) {
      left.remove(row.pos());
      while (last < row.pos() - 1) {
        left.put(++last, now);
      }
      last = Math.max(last, row.pos());
    }
    return new MongoLogPosition(last, left);
  }
}
