package io.postroad.kafka;

/** Bounds what is in memory: records and their bytes, with room for one poll. Thread-safe. */
final class Room {
  private final int most;
  private final long mostBytes;
  private int records;
  private long bytes;

  Room(int maxInFlight, long maxBytes, int pollRecords) {
    this.most = maxInFlight - pollRecords;
    this.mostBytes = maxBytes;
  }

  synchronized void take(int size) {
    records++;
    bytes += size;
  }

  synchronized void leave(int size) {
    records--;
    bytes -= size;
  }

  /** Whether what another poll brings might not fit. */
  synchronized boolean isFull() {
    return records > most || bytes > mostBytes;
  }

  /** Whether there is enough of it to go on; with a gap to full, so as not to go to and fro. */
  synchronized boolean isAmple() {
    return records <= most / 2 && bytes <= mostBytes / 2;
  }
}
