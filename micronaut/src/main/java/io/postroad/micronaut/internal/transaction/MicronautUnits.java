package io.postroad.micronaut.internal.transaction;

import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.exceptions.UnexpectedRollbackException;
import io.postroad.message.PostroadException;
import io.postroad.transaction.NoTransactionException;
import io.postroad.transaction.Transactions.Work;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Units of work by transaction operations of Micronaut, whatever their transactions are.
 *
 * <p>Micronaut takes a transaction from its thread before it commits. So whoever is told of the
 * commit is in none, and nothing can slip in that would not be part of it.
 */
public final class MicronautUnits<T> {
  private static final Logger LOG = LoggerFactory.getLogger(MicronautUnits.class);

  private static final TransactionDefinition JOIN =
      TransactionDefinition.of(TransactionDefinition.Propagation.MANDATORY);
  private static final TransactionDefinition OWN =
      TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRED);
  private static final TransactionDefinition ASIDE =
      TransactionDefinition.of(TransactionDefinition.Propagation.REQUIRES_NEW);

  private final TransactionOperations<T> operations;
  private final Predicate<TransactionStatus<T>> open;
  private final UnitEnding.Rules<T> rules;
  private final OpeningThreads<T> threads;

  /** By connection: a transaction has a status for each participant, and no list of endings. */
  private final Map<T, UnitEnding<T>> endings =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /**
   * Units by these operations.
   *
   * @param open whether a status is one of a transaction, not of a scope without one
   * @param threads who opened which connection
   */
  public MicronautUnits(
      TransactionOperations<T> operations,
      Predicate<TransactionStatus<T>> open,
      UnitEnding.Rules<T> rules,
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
    return new OwnUnit<R>().run(work);
  }

  /** A unit that begins its transaction. Used once, by one thread. */
  private final class OwnUnit<R> {
    private Optional<UnitEnding<T>> ending = Optional.empty();
    private Optional<Supplier<R>> result = Optional.empty();
    private Optional<Throwable> thrown = Optional.empty();

    <E extends Exception> R run(Work<T, R, E> work) throws E {
      try {
        R returned = operations.execute(definition(), status -> inside(status, work));
        UnitEnding<T> ended = ending.orElseThrow();
        if (ended.isCommitted()) {
          ended.runActions();
          return returned;
        }
        throw ended.nothingCommitted(Optional.empty());
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
      UnitEnding<T> begun = new UnitEnding<>(status.getConnection(), rules, endings, true);
      begun.watch(status);
      ending = Optional.of(begun);
      R returned;
      try {
        returned = work.call(status.getConnection());
      } catch (Throwable failed) {
        thrown = Optional.of(failed);
        throw failed;
      }
      result = Optional.of(() -> returned);
      return returned;
    }

    /** What became of it is known from the ending, where a failure of the commit hides it. */
    private <E extends Exception> R unlessCommitted(Throwable failed) throws E {
      if (ending.isEmpty()) {
        throw new PostroadException(
            "could not begin a transaction: %s; nothing was done".formatted(failed.getMessage()),
            failed);
      }
      if (thrown.isPresent()) {
        // A rollback that fails, too, says nothing about the cause.
        Throwable cause = thrown.get();
        if (cause != failed) {
          cause.addSuppressed(failed);
        }
        throw MicronautUnits.<E>same(cause);
      }
      UnitEnding<T> ended = ending.get();
      if (result.isPresent() && ended.isCommitted()) {
        LOG.warn("micronaut: the commit threw, or who was told of it; it stands", failed);
        ended.runActions();
        return result.get().get();
      }
      if (result.isPresent() && failed instanceof UnexpectedRollbackException) {
        throw ended.nothingCommitted(Optional.of(failed));
      }
      throw MicronautUnits.<E>same(ended.commitFailure().orElse(failed));
    }
  }

  /**
   * A scope without a transaction (NOT_SUPPORTED, SUPPORTS, NEVER) has a status, too, which
   * REQUIRED would join: each statement would be applied alone.
   */
  private TransactionDefinition definition() {
    return operations.findTransactionStatus().isPresent() ? ASIDE : OWN;
  }

  private <R, E extends Exception> R joined(TransactionStatus<T> status, Work<T, R, E> work)
      throws E {
    UnitEnding<T> ending = endingOf(status);
    try {
      // In one that is NESTED each participant would get a savepoint of its own.
      return isNested(status)
          ? work.call(status.getConnection())
          : operations.execute(JOIN, joined -> work.call(joined.getConnection()));
    } catch (Throwable failed) {
      ending.failBecauseOf(failed);
      throw MicronautUnits.<E>same(failed);
    }
  }

  /** What the work throws is what it declares, or unchecked; Micronaut passes it on undeclared. */
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

  /** The transaction that this thread is in, if something may be written in it. */
  public Optional<T> current() {
    Optional<TransactionStatus<T>> found = find();
    found.ifPresent(MicronautUnits::requireWritable);
    return found.map(TransactionStatus::getConnection);
  }

  /**
   * The transaction that this thread is in, if any, and if it is not over.
   *
   * @throws NoTransactionException when it is that of another thread, or a savepoint
   */
  @SuppressWarnings("unchecked")
  public // the operations have connections of one kind
  Optional<TransactionStatus<T>> find() {
    Optional<TransactionStatus<T>> found =
        operations
            .findTransactionStatus()
            .map(status -> (TransactionStatus<T>) status)
            .filter(status -> !status.isCompleted());
    found.ifPresent(this::requireOwnThread);
    found = found.filter(open);
    found.ifPresent(MicronautUnits::requireNoSavepoint);
    return found;
  }

  /**
   * Micronaut hands its context, and with it the transaction, to what it runs on other threads
   * ({@code @Async}): that would write into a transaction that may commit or roll back meanwhile.
   */
  private void requireOwnThread(TransactionStatus<T> status) {
    @Nullable UnitEnding<T> known = endings.get(status.getConnection());
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
   * Micronaut does not tell who is in a transaction when it rolls back to a savepoint, so what is
   * to be done after the commit could not be forgotten.
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
      throw new NoTransactionException(
          "this thread is in a transaction that is read-only, and nothing can be appended or"
              + " accepted in it; nothing was written. Take readOnly = true from the @Transactional"
              + " that is in charge here (executeRead is one, too), or do this in one with"
              + " propagation REQUIRES_NEW");
    }
  }

  public void afterCommit(Runnable action) {
    TransactionStatus<T> status =
        find()
            .orElseThrow(
                () ->
                    new NoTransactionException(
                        "afterCommit needs a transaction on this thread that has not ended: call it"
                            + " inside Transactions.run(..) or a @Transactional method"));
    endingOf(status).add(action);
  }

  /** That of the transaction that this thread is in; one that others began gets its own. */
  private UnitEnding<T> endingOf(TransactionStatus<T> status) {
    @Nullable UnitEnding<T> known = endings.get(status.getConnection());
    if (known != null) {
      return known;
    }
    UnitEnding<T> ending = new UnitEnding<>(status.getConnection(), rules, endings, false);
    ending.watch(status);
    return ending;
  }
}
