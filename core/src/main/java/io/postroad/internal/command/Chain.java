package io.postroad.internal.command;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commands that one thread runs in a row, in one of the places of its node. Each command but
 * the first was handed over in the transaction of the command before it. Used by that thread only.
 *
 * <p>A crash leaves the lease of the next command, which expires. Of a command that was handed off
 * in memory, the crash leaves what its process has saved.
 */
final class Chain<T> {

  /** Most commands in a row. The next one queues in the store, so that its place becomes free. */
  static final int LONGEST = 100;

  private @Nullable T transaction;
  private @Nullable CommandRun<T> next;
  private int length = 1;

  /** Notes a transaction of the run. A run may have several; only the last one counts. */
  void begin(T begun) {
    transaction = begun;
    next = null;
  }

  /** Tells whether a command of this transaction can be the next. */
  boolean isOpenFor(T candidate) {
    return transaction == candidate && next == null && length < LONGEST;
  }

  void goOnWith(CommandRun<T> run) {
    next = run;
  }

  boolean goesOn() {
    return next != null;
  }

  void committed() {
    transaction = null;
  }

  void rolledBack() {
    transaction = null;
    next = null;
  }

  /** Returns the next command, once. */
  Optional<CommandRun<T>> next() {
    Optional<CommandRun<T>> found = Optional.ofNullable(next);
    next = null;
    length++;
    return found;
  }
}
