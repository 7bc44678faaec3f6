package io.postroad.internal.command;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commands that one thread handles one after the other, on one place: each but the first was
 * accepted in the transaction of the one before it. Used by that thread only.
 *
 * <p>A crash leaves the lease of the next one, which expires, or what was written down of it where
 * it is carried.
 */
final class Chain<T> {

  /** Then the next one queues in the store, so that an endless chain keeps nobody off its place. */
  static final int LONGEST = 100;

  private @Nullable T unit;
  private @Nullable CommandRun<T> next;
  private int length = 1;

  /** A transaction of the run begins, or is run again: what its last one accepted is not there. */
  void begin(T transaction) {
    unit = transaction;
    next = null;
  }

  /** Whether a command that is accepted in this transaction can be the next. */
  boolean isOpenFor(T transaction) {
    return unit == transaction && next == null && length < LONGEST;
  }

  void goOnWith(CommandRun<T> run) {
    next = run;
  }

  /** Whether there is something that the thread goes on with. */
  boolean goesOn() {
    return next != null;
  }

  void committed() {
    unit = null;
  }

  void rolledBack() {
    unit = null;
    next = null;
  }

  /** What the thread goes on with, once. */
  Optional<CommandRun<T>> next() {
    Optional<CommandRun<T>> found = Optional.ofNullable(next);
    next = null;
    length++;
    return found;
  }
}
