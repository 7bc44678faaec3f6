package io.postroad.micronaut.internal.transaction;

import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.exceptions.UnexpectedRollbackException;
import io.postroad.framework.internal.transaction.TransactionCompletion;
import io.postroad.framework.internal.transaction.TransactionRefusals;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions.Work;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work in the transactions of Micronaut's transaction operations, for every kind of
 * transaction.
 *
 * <p>Micronaut takes a transaction from its thread before it commits. So a synchronization that is
 * called after the commit is in no transaction, and cannot write as if it were part of it.
 *
 * @param <T> the transaction type: a connection or a session
 */
public final class MicronautTransactionRunner<T> {
  private static final Logger LOG = LoggerFactory.getLogger(MicronautTransactionRunner.class);

  private static final TransactionDefinition JOIN =
      TransactionDefinition.of(TransactionDefinition.Propagation.MANDATORY);
  private static final TransactionDefinition OWN =
      TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRED);
  private static final TransactionDefinition ASIDE =
      TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRES_NEW);

  private final TransactionOperations<T> operations;
  private final Predicate<TransactionStatus<T>> open;
  private final MicronautCompletion.Rules<T> rules;
  private final OpeningThreads<T> threads;

  /** By connection, because a transaction has another status for each participant. */
  private final Map<T, MicronautCompletion<T>> completions =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /**
   * @param open returns whether a status belongs to a transaction, not to a scope without one
   * @param threads knows which thread opened which connection
   */
  public MicronautTransactionRunner(
      TransactionOperations<T> operations,
      Predicate<TransactionStatus<T>> open,
      MicronautCompletion.Rules<T> rules,
      OpeningThreads<T> threads) {
    this.operations = operations;
    this.open = open;
    this.rules = rules;
    this.threads = threads;
  }

  public <R, E extends Exception> R call(Work<T, R, E> work) throws E {
    Optional<TransactionStatus<T>> found = find();
    if (found.isPresent()) {
      requireWritable(found.get());
      return joined(found.get(), work);
    }
    return new OwnTransaction<R>().run(work);
  }

  /** Runs work in a transaction that it begins. Used once, by one thread. */
  private final class OwnTransaction<R> {
    private @Nullable MicronautCompletion<T> begun;
    private Optional<Supplier<R>> result = Optional.empty();
    private @Nullable Throwable thrown;

    <E extends Exception> R run(Work<T, R, E> work) throws E {
      try {
        R returned = operations.execute(definition(), status -> inside(status, work));
        TransactionCompletion completion = Objects.requireNonNull(begun).completion();
        if (completion.isCommitted()) {
          completion.runActions();
          return returned;
        }
        throw completion.nothingCommitted(null);
      } catch (Throwable failed) {
        return unlessCommitted(failed);
      }
    }

    private <E extends Exception> R inside(TransactionStatus<T> status, Work<T, R, E> work)
        throws E {
      if (!open.test(status)) {
        throw new NoTransactionException(
            "Micronaut has begun no transaction here; nothing was written. Do this outside of the"
                + " scope without a transaction that this thread is in");
      }
      begun =
          new MicronautCompletion<>(status.getConnection(), rules, completions, true)
              .registeredIn(status);
      R returned;
      try {
        returned = work.call(status.getConnection());
      } catch (Throwable failed) {
        thrown = failed;
        throw failed;
      }
      result = Optional.of(() -> returned);
      return returned;
    }

    /** The completion knows the outcome, because a synchronization may throw after the commit. */
    private <E extends Exception> R unlessCommitted(Throwable failed) throws E {
      if (begun == null) {
        throw TransactionRefusals.notBegun(failed.getMessage(), failed);
      }
      if (thrown != null) {
        // A rollback that fails, too, says nothing about the cause.
        if (thrown != failed) {
          thrown.addSuppressed(failed);
        }
        throw MicronautTransactionRunner.<E>same(thrown);
      }
      TransactionCompletion completion = begun.completion();
      if (result.isPresent() && completion.isCommitted()) {
        LOG.warn("micronaut: a commit or a synchronization threw; the commit stands", failed);
        completion.runActions();
        return result.get().get();
      }
      if (result.isPresent() && failed instanceof UnexpectedRollbackException) {
        throw completion.nothingCommitted(failed);
      }
      @Nullable RuntimeException known = begun.commitFailure();
      throw MicronautTransactionRunner.<E>same(known == null ? failed : known);
    }
  }

  /**
   * Suspends a scope without a transaction (NOT_SUPPORTED, SUPPORTS, NEVER): it has a status, too,
   * which REQUIRED would join, and each statement would be applied alone.
   */
  private TransactionDefinition definition() {
    return operations.findTransactionStatus().isPresent() ? ASIDE : OWN;
  }

  private <R, E extends Exception> R joined(TransactionStatus<T> status, Work<T, R, E> work)
      throws E {
    TransactionCompletion completion = completionOf(status);
    try {
      // In a NESTED transaction each participant would get a savepoint of its own.
      return isNested(status)
          ? work.call(status.getConnection())
          : operations.execute(JOIN, joined -> work.call(joined.getConnection()));
    } catch (Throwable failed) {
      completion.failBecauseOf(failed);
      throw MicronautTransactionRunner.<E>same(failed);
    }
  }

  /** Rethrows an exception of the work, which Micronaut passes on without declaring it. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E same(Throwable failed) throws E {
    if (failed instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failed instanceof Error error) {
      throw error;
    }
    throw (E) failed;
  }

  /** Returns the transaction that this thread is in; refuses one that is read-only. */
  public Optional<T> current() {
    Optional<TransactionStatus<T>> found = find();
    found.ifPresent(MicronautTransactionRunner::requireWritable);
    return found.map(TransactionStatus::getConnection);
  }

  /** Returns whether this thread is in a transaction that is not over. */
  public boolean isInside() {
    return find().isPresent();
  }

  /**
   * Returns the transaction that this thread is in, if it is not over.
   *
   * @throws NoTransactionException if it belongs to another thread, or is a savepoint
   */
  @SuppressWarnings("unchecked") // the operations have connections of one kind
  private Optional<TransactionStatus<T>> find() {
    Optional<TransactionStatus<T>> found =
        operations
            .findTransactionStatus()
            .map(status -> (TransactionStatus<T>) status)
            .filter(status -> !status.isCompleted());
    found.ifPresent(this::requireOwnThread);
    found = found.filter(open);
    found.ifPresent(MicronautTransactionRunner::requireNoSavepoint);
    return found;
  }

  /**
   * Refuses a transaction that Micronaut has passed on to this thread with its context
   * ({@code @Async}): it may commit or roll back at any time.
   */
  private void requireOwnThread(TransactionStatus<T> status) {
    @Nullable MicronautCompletion<T> known = completions.get(status.getConnection());
    Thread opener =
        threads
            .of(status.getConnection())
            .orElseGet(() -> known == null ? Thread.currentThread() : known.thread());
    if (opener != Thread.currentThread()) {
      throw new NoTransactionException(
          "the transaction that this thread (%s) was handed is that of another one (%s), which may end it at any time; nothing was written. Do this on that thread, before the transactional method returns, or in a transaction of its own: @Transactional with propagation REQUIRES_NEW"
              .formatted(Thread.currentThread().getName(), opener.getName()));
    }
  }

  /**
   * Refuses a savepoint. Micronaut does not call the synchronizations when it rolls back to one, so
   * that the actions after the commit would run although their work is undone.
   */
  private static void requireNoSavepoint(TransactionStatus<?> status) {
    if (isNested(status) && !status.isNewTransaction()) {
      throw new NoTransactionException(
          "this thread is in a savepoint, because the @Transactional that began the transaction has"
              + " propagation NESTED, and nothing can be appended or accepted in a savepoint;"
              + " nothing was written. Give that one propagation REQUIRED, or do this in a"
              + " transaction of its own, REQUIRES_NEW");
    }
  }

  private static boolean isNested(TransactionStatus<?> status) {
    return status.getTransactionDefinition().getPropagationBehavior()
        == TransactionDefinition.Propagation.NESTED;
  }

  private static void requireWritable(TransactionStatus<?> status) {
    if (status.getTransactionDefinition().isReadOnly().orElse(false)) {
      throw TransactionRefusals.readOnly();
    }
  }

  public void afterCommit(Runnable action) {
    completionOf(find().orElseThrow(TransactionRefusals::afterCommitOutside)).afterCommit(action);
  }

  /** Runs an action after the commit of a transaction, if it is the current one. */
  public void afterCommitOf(T transaction, Runnable action) {
    find()
        .filter(status -> status.getConnection() == transaction)
        .ifPresent(status -> completionOf(status).afterCommit(action));
  }

  /** Returns that of a transaction; registers one if the application began it. */
  private TransactionCompletion completionOf(TransactionStatus<T> status) {
    @Nullable MicronautCompletion<T> known = completions.get(status.getConnection());
    return (known == null
            ? new MicronautCompletion<>(status.getConnection(), rules, completions, false)
                .registeredIn(status)
            : known)
        .completion();
  }
}
