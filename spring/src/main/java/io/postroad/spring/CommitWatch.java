package io.postroad.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Marks the transactions of one manager: as its own at their beginning, and as over at the
 * beginning of their commit. From then on nothing can join a transaction, although it looks active
 * to {@code AFTER_COMMIT} listeners.
 *
 * <p>The resources that are bound to a thread do not tell which manager began its transaction: they
 * stay bound when a transaction of another manager begins inside of it.
 */
final class CommitWatch implements TransactionExecutionListener {

  private CommitWatch() {}

  /** Returns the only watch of this manager; adds it at the first call. */
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
    // The transaction that this thread is in began before the watch was added.
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
      TransactionSynchronizationManager.registerSynchronization(new Committing());
    }
  }

  /** Returns whether this manager began the transaction that this thread is in. */
  boolean isOwn() {
    return TransactionSynchronizationManager.getSynchronizations().stream()
        .anyMatch(each -> each instanceof Own own && own.watch() == this);
  }

  /** Returns whether the commit of the transaction that this thread is in has begun. */
  static boolean isCommitting() {
    return TransactionSynchronizationManager.getSynchronizations().stream()
        .anyMatch(Committing.class::isInstance);
  }

  /** Lasts as long as the transaction, and is suspended with it. */
  private record Own(CommitWatch watch) implements TransactionSynchronization {}

  /** Lasts as long as the transaction, and is suspended with it. */
  private static final class Committing implements TransactionSynchronization {}
}
