package io.postroad.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Tracks the records of one partition that were polled and are not finished, and computes the
 * offset to commit. That offset is the one of the first unfinished record. Lives from assignment to
 * revocation; a partition that is assigned again gets a new instance. Thread-safe.
 */
final class PartitionProgress {
  /** The offset of a polled record, and whether it is finished. */
  static final class PolledRecord {
    private final long offset;
    private boolean done;

    private PolledRecord(long offset) {
      this.offset = offset;
    }
  }

  private final Deque<PolledRecord> pending = new ArrayDeque<>();
  private long next = -1;
  private long committed = -1;
  private int running;
  private boolean closed;
  private boolean abandoned;

  synchronized PolledRecord add(long offset) {
    PolledRecord polled = new PolledRecord(offset);
    pending.add(polled);
    if (next < 0) {
      next = offset;
      committed = offset;
    }
    return polled;
  }

  /** Returns whether a record may be handled; if so, the caller must call {@link #end} later. */
  synchronized boolean begin() {
    if (closed) {
      return false;
    }
    running++;
    return true;
  }

  synchronized void end(PolledRecord polled, boolean finished) {
    running--;
    polled.done = finished;
    for (PolledRecord first = pending.peek(); first != null && first.done; first = pending.peek()) {
      next = first.offset + 1;
      pending.remove();
    }
    notifyAll();
  }

  synchronized int size() {
    return pending.size();
  }

  /**
   * Tells that everything before this position was polled. If no record is pending, all of it is
   * finished.
   */
  synchronized void polledUpTo(long position) {
    if (pending.isEmpty()) {
      next = Math.max(next, position);
    }
  }

  /** Returns whether a record was ever added. */
  synchronized boolean isUsed() {
    return next >= 0;
  }

  /** Returns the offset to commit; empty if it is already committed. */
  synchronized OptionalLong toCommit() {
    return next > committed ? OptionalLong.of(next) : OptionalLong.empty();
  }

  synchronized void committed(long offset) {
    committed = Math.max(committed, offset);
  }

  /** Lets no further record begin. */
  synchronized void close() {
    closed = true;
  }

  /** Waits for the running handlers. An interrupt ends the wait and stays set. */
  synchronized void awaitIdle(long untilNanos) {
    try {
      for (long left = untilNanos - System.nanoTime();
          running > 0 && left > 0;
          left = untilNanos - System.nanoTime()) {
        wait(Math.max(1, Duration.ofNanos(left).toMillis()));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets running handlers finish, without another attempt if the database fails. */
  synchronized void abandon() {
    closed = true;
    abandoned = true;
  }

  synchronized boolean isAbandoned() {
    return abandoned;
  }
}
