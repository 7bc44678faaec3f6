package io.postroad.postgres.internal.log;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Which transactions a statement could see: all that are below {@code xmax} and not in {@code
 * running}. {@code xmax} is the newest <em>finished</em> transaction + 1: others may be open at or
 * above it, and they stand in no list.
 */
final class TxSnapshot {
  private final String text;
  private final long xmin;
  private final long xmax;
  private final long[] running;

  private TxSnapshot(String text, long xmin, long xmax, long[] running) {
    this.text = text;
    this.xmin = xmin;
    this.xmax = xmax;
    this.running = running;
  }

  /** A snapshot as PostgreSQL writes it, {@code xmin:xmax:running,running,..}. */
  static TxSnapshot parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("a snapshot must be xmin:xmax:list, got " + text);
    }
    long[] running =
        parts[2].isEmpty()
            ? new long[0]
            : Arrays.stream(parts[2].split(",")).mapToLong(Long::parseLong).toArray();
    return new TxSnapshot(text, Long.parseLong(parts[0]), Long.parseLong(parts[1]), running);
  }

  /** Every transaction below it has ended. */
  long xmin() {
    return xmin;
  }

  long xmax() {
    return xmax;
  }

  LongStream running() {
    return Arrays.stream(running);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TxSnapshot snapshot && text.equals(snapshot.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
