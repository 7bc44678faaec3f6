package io.postroad.spring;

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
 * Units of work by a transaction manager, whatever its transactions are.
 *
 * <p>A transaction that has committed is still bound to its thread while others are told. Nothing
 * of what is written then is part of it, so such a thread counts as being in none, and a unit gets
 * a transaction of its own.
 */
final class SpringUnits<T> {
  private static final Logger LOG = LoggerFactory.getLogger(SpringUnits.class);

  /** Never begins one: on a connection of another manager that would commit halfway. */
  private static final TransactionDefinition JOIN =
      new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY);

  private static final TransactionDefinition OWN =
      new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

  private final PlatformTransactionManager manager;
  private final Supplier<Optional<T>> bound;
  private final Consumer<T> check;
  private final String unbound;

  /** None for a manager that has no listeners: a chain of managers, a proxy of the interface. */
  private final Optional<CommitWatch> watch;

  /**
   * @param bound the transaction that is bound to this thread, if any
   * @param check throws when a transaction cannot be committed, though its manager would try
   * @param unbound says what is wrong when the manager begins transactions that are not bound
   */
  SpringUnits(
      PlatformTransactionManager manager,
      Supplier<Optional<T>> bound,
      Consumer<T> check,
      String unbound) {
    if (manager instanceof AbstractPlatformTransactionManager known
        && known.getTransactionSynchronization()
            != AbstractPlatformTransactionManager.SYNCHRONIZATION_ALWAYS) {
      throw new IllegalArgumentException(
          "the transaction manager (%s) does not tell when a transaction begins and ends: leave"
                  .formatted(manager.getClass().getSimpleName())
              + " its transactionSynchronization at SYNCHRONIZATION_ALWAYS");
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
    boolean inside = findOwn().isPresent();
    if (inside) {
      requireWritable();
    }
    TransactionStatus status = begin(inside ? JOIN : OWN);
    return inside ? joined(status, work) : outermost(status, work);
  }

  private TransactionStatus begin(TransactionDefinition how) {
    try {
      return manager.getTransaction(how);
    } catch (IllegalTransactionStateException foreign) {
      throw ofAnotherManager();
    } catch (TransactionException failed) {
      throw new PostroadException(
          "could not begin a transaction: %s; nothing was done"
              .formatted(NestedExceptionUtils.getMostSpecificCause(failed).getMessage()),
          failed);
    }
  }

  private NoTransactionException ofAnotherManager() {
    return new NoTransactionException(
        "another transaction manager than the one of Postroad (%s) began the transaction that this"
                .formatted(manager.getClass().getSimpleName())
            + " thread is in, so nothing can be part of it; nothing was written. Name the same"
            + " manager in @Transactional, or give Postroad that one");
  }

  private <R, E extends Exception> R outermost(TransactionStatus status, Work<T, R, E> work)
      throws E {
    UnitEnding ending = UnitEnding.ofOwnUnit(this::check);
    R result;
    try {
      TransactionSynchronizationManager.registerSynchronization(ending);
      result = work.call(begun());
    } catch (Throwable failed) {
      rollback(status, failed);
      throw failed;
    }
    commit(status, ending);
    ending.runActions();
    return result;
  }

  private T begun() {
    return bound.get().orElseThrow(() -> new PostroadException(unbound));
  }

  /** What became of it is known from the ending: who is told of a commit may throw, too. */
  private void commit(TransactionStatus status, UnitEnding ending) {
    try {
      manager.commit(status);
    } catch (Throwable failed) {
      if (ending.isCommitted()) {
        LOG.warn("spring: who was told of a commit threw; the commit stands", failed);
      } else if (failed instanceof UnexpectedRollbackException) {
        throw new PostroadException(
            "nothing was committed: %s and was rolled back with it; let its exception through, or do"
                    .formatted(ending.whatFailedInside())
                + " that work in a transaction of its own",
            ending.innerFailure().orElse(failed));
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
      UnitEnding.ofCurrent(this::check).failBecauseOf(failed);
      rollback(status, failed);
      throw failed;
    }
    manager.commit(status);
    return result;
  }

  private void check() {
    bound.get().ifPresent(check);
  }

  /** MongoDB's driver sends no abort for a thread that is interrupted, and the locks would stay. */
  private void rollback(TransactionStatus status, Throwable because) {
    try {
      Threads.uninterrupted(() -> manager.rollback(status));
    } catch (RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }

  /** The transaction that this thread is in, after what JPA holds back for it was written. */
  Optional<T> current() {
    Optional<T> found = findOwn();
    if (found.isPresent()) {
      requireWritable();
      flush();
    }
    return found;
  }

  /** The transaction that this thread is in, if any, if it is ours and not over. */
  Optional<T> find() {
    return findBound().filter(found -> isOwn());
  }

  /** The same, but one of another manager is refused while ours is bound. */
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
            && !CommitWatch.hasBegun()
            && !isCommitted()
        ? bound.get()
        : Optional.empty();
  }

  /** Asked where the manager has no listeners: others mark the beginning of their commit. */
  private boolean isCommitted() {
    return watch.isEmpty() && CommitCallback.isRunning();
  }

  private static void requireWritable() {
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new NoTransactionException(
          "this thread is in a transaction that is read-only, and nothing can be appended or"
              + " accepted in it; nothing was written. Take readOnly = true from the @Transactional"
              + " that is in charge here, or do this in one with propagation REQUIRES_NEW");
    }
  }

  /** Writes what JPA holds back for the transaction that this thread is in. */
  void flush() {
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
      throw new NoTransactionException(
          "afterCommit needs a transaction on this thread that has not ended: call it inside"
              + " Transactions.run(..) or a @Transactional method");
    }
    UnitEnding.ofCurrent(this::check).add(action);
  }
}
