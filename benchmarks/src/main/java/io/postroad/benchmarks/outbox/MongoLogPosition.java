package io.postroad.benchmarks.outbox;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How far a log was read: everything up to {@code head} but what is missing.
 *
 * @param head the highest position read
 * @param missing positions below it that were not there, with the time of the monotonic clock when
 *     that was noticed: their transactions are still open, or rolled back
 */
record MongoLogPosition(long head, SortedMap<Long, Long> missing) {
  /** Twice as long as the server lets a transaction live. */
  private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(120);

  MongoLogPosition {
    missing = Collections.unmodifiableSortedMap(missing);
  }

  /** The position when these were read, in ascending order and all up to the last of them. */
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
