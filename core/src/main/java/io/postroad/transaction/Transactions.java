package io.postroad.transaction;

import io.postroad.spi.ChangedMeanwhileException;
import java.util.Optional;

/**
 * Units of work on one database.
 *
 * <p>Safe to use from many threads; a unit belongs to the thread that runs it.
 *
 * @param <T> the transaction type of this database
 */
public interface Transactions<T> {

  /**
   * Runs {@code work} in a transaction: commits when it returns, rolls back and rethrows when it
   * throws.
   *
   * <p>Where the database itself undoes transactions and asks for them again (MongoDB: a write
   * conflict, an election), the store may run {@code work} more than once; of all runs one commits.
   * So work should do nothing but what the transaction can undo.
   *
   * <p>Inside another unit of the same thread it joins that one: there is one commit, at the end of
   * the outermost. If an inner unit throws and the outer goes on all the same, the outer fails at
   * its end with a {@link io.postroad.message.PostroadException} and nothing is committed.
   */
  <R, E extends Exception> R call(Work<T, R, E> work) throws E;

  /** {@link #call} for work without a result. */
  default <E extends Exception> void run(Action<T, E> action) throws E {
    this.<Boolean, E>call(
        transaction -> {
          action.run(transaction);
          return true;
        });
  }

  /**
   * Runs {@code work} in an open transaction, and lets a store batch its writes, in fewer round
   * trips. So a write may fail later than its call, but before this returns, and then nothing of it
   * is stored. Reads through the store see what was written before it; statements of the caller's
   * own may not.
   */
  default <R, E extends Exception> R together(T transaction, Work<T, R, E> work) throws E {
    return work.call(transaction);
  }

  /**
   * {@link #together} for the last work of a unit: the caller does nothing afterwards but return
   * from the unit. So a store may send the commit along, in the same round trip, where each write
   * fails by itself if it does not hold. An exception inside rolls back as ever; work that the unit
   * does after it may come too late for that. In a unit inside of another, or inside of {@link
   * #together}, it is {@link #together}.
   *
   * @throws ChangedMeanwhileException with a cause, when something did not hold that is not known
   *     exactly, perhaps what the unit did before; nothing was committed, and the whole unit can be
   *     run again, without this
   */
  default <R, E extends Exception> R lastTogether(T transaction, Work<T, R, E> work) throws E {
    return together(transaction, work);
  }

  /**
   * Refuses to go on when the work of this unit has itself ended the transaction: the work done
   * before is not part of the unit, and later work must not be committed without it. To be called
   * after a statement of the unit and the work that came then. Uses only what the driver knows and
   * costs no way to the database: a transaction that the work has ended, and followed by another,
   * may not be told from the first.
   *
   * @throws TransactionEndedException that says so
   */
  void requireUnended(T transaction);

  /** Returns the transaction of the unit that this thread is in, if any. */
  Optional<T> current();

  /**
   * Writes the changes that another library holds back for this transaction, such as the
   * persistence context of JPA, so that they are in the database before the next statement of
   * Postroad. Does nothing where there is no such library.
   */
  default void flush(T transaction) {}

  /**
   * Runs {@code action} after the current unit has committed, on the same thread; not at all if it
   * rolls back. An action that throws is logged and does not change the outcome. A crash after the
   * commit loses it, so it may only be a hint. It may run a unit of its own.
   *
   * @throws NoTransactionException outside a unit
   */
  void afterCommit(Runnable action);

  /**
   * {@link #afterCommit} for code that was handed a transaction, if it is that of the current unit.
   * Otherwise the commit cannot be observed here, and the action is dropped.
   */
  default void afterCommitOf(T transaction, Runnable action) {
    Optional<T> current = current();
    if (current.isPresent() && current.get() == transaction) {
      afterCommit(action);
    }
  }

  /** Work with a result. */
  @FunctionalInterface
  interface Work<T, R, E extends Exception> {
    R call(T transaction) throws E;
  }

  /** Work without a result. */
  @FunctionalInterface
  interface Action<T, E extends Exception> {
    void run(T transaction) throws E;
  }
}
