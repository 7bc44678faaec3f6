package io.postroad.spring;

import io.postroad.framework.internal.transaction.TransactionRefusals;
import io.postroad.message.PostroadException;
import io.postroad.spi.hint.Threads;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions.Work;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs work in the transactions of a transaction manager, for every kind of transaction.
 *
 * <p>A committed transaction stays bound to its thread while its synchronizations are called.
 * Writes of that time are not part of it, so such a thread counts as being in no transaction, and
 * work gets a transaction of its own.
 *
 * @param <T> the transaction type: a connection or a session
 */
final class SpringTransactionRunner<T> {
  private static final Logger LOG = LoggerFactory.getLogger(SpringTransactionRunner.class);

  /** Never begins a transaction: on a connection of another manager that would commit halfway. */
  private static final TransactionDefinition JOIN =
      new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY);

  private static final TransactionDefinition OWN =
      new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

  private final PlatformTransactionManager manager;
  private final Supplier<Optional<T>> bound;
  private final Consumer<T> check;
  private final String unbound;

  /** Empty for a manager without listeners: a chain of managers, a proxy of the interface. */
  private final Optional<CommitWatch> watch;

  /**
   * @param bound returns the transaction that is bound to this thread
   * @param check throws when a transaction cannot be committed, although its manager would try
   * @param unbound the error text if {@code bound} does not find the transactions of the manager
   */
  SpringTransactionRunner(
      PlatformTransactionManager manager,
      Supplier<Optional<T>> bound,
      Consumer<T> check,
      String unbound) {
    if (manager instanceof AbstractPlatformTransactionManager known
        && known.getTransactionSynchronization()
            != AbstractPlatformTransactionManager.SYNCHRONIZATION_ALWAYS) {
      throw new IllegalArgumentException(
          "the transaction manager (%s) does not tell when a transaction begins and ends: leave its transactionSynchronization at SYNCHRONIZATION_ALWAYS"
              .formatted(manager.getClass().getSimpleName()));
    }
    this.manager = manager;
    this.bound = bound;
    this.check = check;
    this.unbound = unbound;
    this.watch =
        manager instanceof ConfigurableTransactionManager configurable
            ? Optional.of(CommitWatch.of(configurable))
            : Optional.empty();
  }

  <R, E extends Exception> R call(Work<T, R, E> work) throws E {
    boolean inside = current().isPresent();
    TransactionStatus status = begin(inside ? JOIN : OWN);
    return inside ? joined(status, work) : outermost(status, work);
  }

  private TransactionStatus begin(TransactionDefinition how) {
    try {
      return manager.getTransaction(how);
    } catch (IllegalTransactionStateException foreign) {
      throw ofAnotherManager();
    } catch (TransactionException failed) {
      throw TransactionRefusals.notBegun(
          NestedExceptionUtils.getMostSpecificCause(failed).getMessage(), failed);
    }
  }

  private NoTransactionException ofAnotherManager() {
    return new NoTransactionException(
        "another transaction manager than the one of Postroad (%s) began the transaction that this thread is in, so nothing can be part of it; nothing was written. Name the same manager in @Transactional, or give Postroad that one"
            .formatted(manager.getClass().getSimpleName()));
  }

  private <R, E extends Exception> R outermost(TransactionStatus status, Work<T, R, E> work)
      throws E {
    SpringCompletion completion = new SpringCompletion(true, this::check);
    R result;
    try {
      TransactionSynchronizationManager.registerSynchronization(completion);
      result = work.call(begun());
    } catch (Throwable failed) {
      rollback(status, failed);
      throw failed;
    }
    commit(status, completion);
    completion.completion().runActions();
    return result;
  }

  private T begun() {
    return bound.get().orElseThrow(() -> new PostroadException(unbound));
  }

  /** The completion knows the outcome, because a synchronization may throw after the commit. */
  private void commit(TransactionStatus status, SpringCompletion completion) {
    try {
      manager.commit(status);
    } catch (Throwable failed) {
      if (completion.completion().isCommitted()) {
        LOG.warn("spring: a synchronization failed after a commit; the commit stands", failed);
      } else if (failed instanceof UnexpectedRollbackException) {
        throw completion.completion().nothingCommitted(failed);
      } else {
        throw failed;
      }
    }
  }

  private <R, E extends Exception> R joined(TransactionStatus status, Work<T, R, E> work) throws E {
    R result;
    try {
      // Before the work writes: the caller's rows are locked first.
      status.flush();
      result = work.call(begun());
    } catch (Throwable failed) {
      SpringCompletion.ofCurrent(this::check).completion().failBecauseOf(failed);
      rollback(status, failed);
      throw failed;
    }
    manager.commit(status);
    return result;
  }

  private void check() {
    bound.get().ifPresent(check);
  }

  /** MongoDB's driver sends no abort for an interrupted thread, and the locks would stay. */
  private void rollback(TransactionStatus status, Throwable because) {
    try {
      Threads.uninterrupted(() -> manager.rollback(status));
    } catch (RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }

  /** Returns the transaction that this thread is in; refuses one that cannot be written in. */
  Optional<T> current() {
    Optional<T> found = findOwn();
    if (found.isPresent() && TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw TransactionRefusals.readOnly();
    }
    return found;
  }

  /** Returns whether this thread is in a transaction of this manager that is not over. */
  boolean isInside() {
    return findBound().isPresent() && isOwn();
  }

  private boolean isCurrent(T transaction) {
    return findBound().filter(found -> found == transaction).isPresent() && isOwn();
  }

  /** Returns the transaction that this thread is in; refuses one that another manager began. */
  private Optional<T> findOwn() {
    Optional<T> found = findBound();
    if (found.isPresent() && !isOwn()) {
      throw ofAnotherManager();
    }
    return found;
  }

  private boolean isOwn() {
    return watch.isEmpty() || watch.get().isOwn();
  }

  private Optional<T> findBound() {
    return TransactionSynchronizationManager.isActualTransactionActive()
            && TransactionSynchronizationManager.isSynchronizationActive()
            && !CommitWatch.isCommitting()
            && !isCommitted()
        ? bound.get()
        : Optional.empty();
  }

  /** Asked where the manager has no listeners: other managers mark the beginning of a commit. */
  private boolean isCommitted() {
    return watch.isEmpty() && CommitCallback.isRunning();
  }

  /** Writes the changes that JPA holds back for a transaction, if it is the current one. */
  void flush(T transaction) {
    if (!isCurrent(transaction)) {
      return;
    }
    TransactionStatus status = begin(JOIN);
    try {
      status.flush();
    } catch (RuntimeException | Error failed) {
      rollback(status, failed);
      throw failed;
    }
    manager.commit(status);
  }

  void afterCommit(Runnable action) {
    if (findOwn().isEmpty()) {
      throw TransactionRefusals.afterCommitOutside();
    }
    SpringCompletion.ofCurrent(this::check).completion().afterCommit(action);
  }

  /** Runs an action after the commit of a transaction, if it is the current one. */
  void afterCommitOf(T transaction, Runnable action) {
    if (isCurrent(transaction)) {
      afterCommit(action);
    }
  }
}
