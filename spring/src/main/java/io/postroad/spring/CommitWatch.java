package io.postroad.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Marks the transactions of one manager: as its own when they begin, and as over when their commit
 * has begun. From then on nothing can be part of one, though it looks active to those who are told
 * of the commit, as {@code AFTER_COMMIT} listeners are.
 *
 * <p>What is bound to a thread does not tell whose transaction it is in: it stays there when a
 * transaction of another manager begins inside of ours, and goes by another commit.
 */
final class CommitWatch implements TransactionExecutionListener {

  private CommitWatch() {}

  /** That of this manager, which has one only, whoever uses it. */
  static CommitWatch of(ConfigurableTransactionManager manager) {
    return manager.getTransactionExecutionListeners().stream()
        .filter(CommitWatch.class::isInstance)
        .map(CommitWatch.class::cast)
        .findFirst()
        .orElseGet(() -> addedTo(manager));
  }

  private static CommitWatch addedTo(ConfigurableTransactionManager manager) {
    CommitWatch watch = new CommitWatch();
    manager.addListener(watch);
    // It was not told of the beginning of one that this thread is in already.
    watch.markCurrent();
    return watch;
  }

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure == null && transaction.isNewTransaction()) {
      markCurrent();
    }
  }

  private void markCurrent() {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(new Own(this));
    }
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    if (transaction.isNewTransaction()
        && TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(new Begun());
    }
  }

  /** Whether the transaction that this thread is in is one of this manager. */
  boolean isOwn() {
    return TransactionSynchronizationManager.getSynchronizations().stream()
        .anyMatch(each -> each instanceof Own own && own.watch() == this);
  }

  /** Whether the commit of the transaction that this thread is in has begun. */
  static boolean hasBegun() {
    return TransactionSynchronizationManager.getSynchronizations().stream()
        .anyMatch(Begun.class::isInstance);
  }

  /** There as long as the transaction is, and put aside with it when another one begins. */
  private record Own(CommitWatch watch) implements TransactionSynchronization {}

  /** There as long as the transaction is, and put aside with it when another one begins. */
  private static final class Begun implements TransactionSynchronization {}
}
