package io.postroad.kafka;

/** Limits the records and their bytes in memory, with room for one poll. Thread-safe. */
final class InFlightLimit {
  private final int maxRecords;
  private final long maxBytes;
  private int records;
  private long bytes;

  InFlightLimit(int maxInFlight, long maxBytes, int pollRecords) {
    this.maxRecords = maxInFlight - pollRecords;
    this.maxBytes = maxBytes;
  }

  synchronized void add(int size) {
    records++;
    bytes += size;
  }

  synchronized void remove(int size) {
    records--;
    bytes -= size;
  }

  /** Returns whether the records of another poll might not fit. */
  synchronized boolean isFull() {
    return records > maxRecords || bytes > maxBytes;
  }

  /** Returns whether half of the limit is free again. The gap to full avoids frequent pauses. */
  synchronized boolean hasRoom() {
    return records <= maxRecords / 2 && bytes <= maxBytes / 2;
  }
}
