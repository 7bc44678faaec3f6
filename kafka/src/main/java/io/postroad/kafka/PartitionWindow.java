package io.postroad.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * The records of one partition that were polled and are not passed by the offset to commit: that
 * goes up to the first that is not dealt with, whatever came behind it. From assignment to
 * revocation; a partition that comes back gets a new one. Thread-safe.
 */
final class PartitionWindow {
  /** One record, by its offset; its content is with whoever handles it. */
  static final class Slot {
    private final long offset;
    private boolean done;

    private Slot(long offset) {
      this.offset = offset;
    }
  }

  private final Deque<Slot> slots = new ArrayDeque<>();
  private long next = -1;
  private long committed = -1;
  private int running;
  private boolean closed;
  private boolean givenUp;

  synchronized Slot add(long offset) {
    Slot slot = new Slot(offset);
    slots.add(slot);
    if (next < 0) {
      next = offset;
      committed = offset;
    }
    return slot;
  }

  /** Whether a record may be handled; {@link #end} must follow then. */
  synchronized boolean begin() {
    if (closed) {
      return false;
    }
    running++;
    return true;
  }

  synchronized void end(Slot slot, boolean dealtWith) {
    running--;
    slot.done = dealtWith;
    for (Slot first = slots.peek(); first != null && first.done; first = slots.peek()) {
      next = first.offset + 1;
      slots.remove();
    }
    notifyAll();
  }

  synchronized int size() {
    return slots.size();
  }

  /** Everything before this position was polled: with nothing left, it is dealt with. */
  synchronized void polledUpTo(long position) {
    if (slots.isEmpty()) {
      next = Math.max(next, position);
    }
  }

  /** Whether a record was ever added. */
  synchronized boolean isUsed() {
    return next >= 0;
  }

  /** The offset to commit, when it is another one than before. */
  synchronized OptionalLong toCommit() {
    return next > committed ? OptionalLong.of(next) : OptionalLong.empty();
  }

  synchronized void committed(long offset) {
    committed = Math.max(committed, offset);
  }

  /** Nothing more begins. */
  synchronized void close() {
    closed = true;
  }

  /** Waits for what runs; an interrupt ends the wait and stays set. */
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

  /** What runs is finished, but not tried again when the database fails. */
  synchronized void giveUp() {
    closed = true;
    givenUp = true;
  }

  synchronized boolean isGivenUp() {
    return givenUp;
  }
}
