package io.postroad.spring;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Marks a transaction whose commit has begun: from then on nothing can be part of it, though it
 * looks active to those who are told of the commit, as {@code AFTER_COMMIT} listeners are.
 */
final class CommitWatch implements TransactionExecutionListener {

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    if (transaction.isNewTransaction()
        && TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(new Begun());
    }
  }

  /** Whether the commit of the transaction that this thread is in has begun. */
  static boolean hasBegun() {
    return TransactionSynchronizationManager.getSynchronizations().stream()
        .anyMatch(Begun.class::isInstance);
  }

  /** There as long as the transaction is, and put aside with it when another one begins. */
  private static final class Begun implements TransactionSynchronization {}
}
