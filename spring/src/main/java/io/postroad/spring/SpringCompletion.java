package io.postroad.spring;

import io.postroad.framework.internal.transaction.TransactionCompletion;
import java.util.HashMap;
import java.util.Map;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The completion of one transaction of Spring. Used by the thread that runs the transaction. */
final class SpringCompletion implements TransactionSynchronization {
  private final TransactionCompletion completion = new TransactionCompletion();

  /** Counts of actions by savepoint; a savepoint that is older than this object has none. */
  private final Map<Object, Integer> savepoints = new HashMap<>();

  private final boolean ofPostroad;
  private final Runnable check;
  private boolean completing;

  /**
   * @param ofPostroad whether Postroad began the transaction, and so runs the actions itself, after
   *     the transaction has left the thread
   * @param check throws when the transaction cannot be committed
   */
  SpringCompletion(boolean ofPostroad, Runnable check) {
    this.ofPostroad = ofPostroad;
    this.check = check;
  }

  /** Returns that of the current transaction; registers one if the application began it. */
  static SpringCompletion ofCurrent(Runnable check) {
    for (TransactionSynchronization each :
        TransactionSynchronizationManager.getSynchronizations()) {
      if (each instanceof SpringCompletion known) {
        return known;
      }
    }
    SpringCompletion added = new SpringCompletion(false, check);
    TransactionSynchronizationManager.registerSynchronization(added);
    return added;
  }

  TransactionCompletion completion() {
    return completion;
  }

  /** Returns whether Postroad began the transaction and its completion has not begun. */
  boolean isOpen() {
    return ofPostroad && !completing;
  }

  @Override
  public void beforeCommit(boolean readOnly) {
    completion.requireNoFailure();
    check.run();
  }

  @Override
  public void beforeCompletion() {
    completing = true;
  }

  /** Called for {@code NESTED}. */
  @Override
  public void savepoint(Object savepoint) {
    savepoints.put(savepoint, completion.savepoint());
  }

  @Override
  public void savepointRollback(Object savepoint) {
    completion.rollbackTo(savepoints.getOrDefault(savepoint, 0));
  }

  /** Used in place of afterCommit: an exception there reaches the caller and stops other calls. */
  @Override
  public void afterCompletion(int status) {
    completion.complete(status == STATUS_COMMITTED);
    if (completion.isCommitted() && !ofPostroad) {
      completion.runActions();
    }
  }
}
