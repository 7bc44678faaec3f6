package io.postroad.micronaut.internal.transaction;

import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.support.TransactionSynchronization;
import io.postroad.message.PostroadException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is to be done at the end of one transaction. Used by the thread that is in it. */
public final class UnitEnding<T> {
  private static final Logger LOG = LoggerFactory.getLogger(UnitEnding.class);

  /** What a database knows about the end of a transaction, beyond what Micronaut does. */
  public interface Rules<T> {

    /** Throws when the transaction cannot be committed, though Micronaut would try. */
    void requireCommittable(T transaction);

    /**
     * Finds out about a commit whose result is unknown: returns when it is committed.
     *
     * @throws RuntimeException when it is not, or nobody knows
     */
    void settle(T transaction);
  }

  private final T transaction;
  private final Rules<T> rules;
  private final Map<T, UnitEnding<T>> all;
  private final boolean ownUnit;
  private final Thread thread = Thread.currentThread();
  private final List<Runnable> actions = new ArrayList<>();
  private @Nullable Throwable innerFailure;
  private @Nullable RuntimeException commitFailure;
  private boolean committed;

  /**
   * Of one transaction.
   *
   * @param all where others find it as long as the transaction lasts
   * @param ownUnit whether the unit runs the actions itself, when the transaction has left the
   *     thread
   */
  UnitEnding(T transaction, Rules<T> rules, Map<T, UnitEnding<T>> all, boolean ownUnit) {
    this.transaction = transaction;
    this.rules = rules;
    this.all = all;
    this.ownUnit = ownUnit;
  }

  void watch(TransactionStatus<T> status) {
    status.registerSynchronization(new Told());
    status.registerSynchronization(new Check());
    all.put(transaction, this);
  }

  /** The thread that this is for, as far as is known here: the first that came. */
  Thread thread() {
    return thread;
  }

  void add(Runnable action) {
    actions.add(action);
  }

  /** An inner unit has failed, so the transaction can no longer commit; the first one is kept. */
  void failBecauseOf(Throwable failure) {
    if (innerFailure == null) {
      innerFailure = failure;
    }
  }

  boolean isCommitted() {
    return committed;
  }

  /** Why it was not committed, where that is better known here than by what was thrown. */
  Optional<Throwable> commitFailure() {
    return Optional.ofNullable(commitFailure);
  }

  PostroadException nothingCommitted(Optional<Throwable> thrown) {
    @Nullable Throwable cause = innerFailure == null ? thrown.orElse(null) : innerFailure;
    return new PostroadException(
        "nothing was committed: %s and was rolled back with it; let its exception through, or do that work in a transaction of its own"
            .formatted(whatFailedInside()),
        cause);
  }

  private String whatFailedInside() {
    return innerFailure == null
        ? "something inside this unit of work was marked rollback-only"
        : "a unit of work inside this one failed (%s)"
            .formatted(innerFailure.getClass().getSimpleName());
  }

  /** Hears of the end before all others, one of whom may throw: then the rest is not told. */
  private final class Told implements TransactionSynchronization {
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }

    /** Only noted: what is thrown here reaches the caller, and others are not told. */
    @Override
    public void afterCommit() {
      all.remove(transaction);
      committed = true;
    }

    @Override
    public void afterCompletion(Status status) {
      all.remove(transaction);
      committed = status == Status.COMMITTED || (status == Status.UNKNOWN && settled());
      if (committed && !ownUnit) {
        runActions();
      }
    }
  }

  /** Looks whether all is well after all others, who may still write. */
  private final class Check implements TransactionSynchronization {
    @Override
    public int getOrder() {
      return LOWEST_PRECEDENCE;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
      if (innerFailure != null) {
        // A nested one, which does not mark the whole.
        throw nothingCommitted(Optional.empty());
      }
      rules.requireCommittable(transaction);
    }
  }

  private boolean settled() {
    try {
      rules.settle(transaction);
      return true;
    } catch (RuntimeException failed) {
      commitFailure = failed;
      return false;
    }
  }

  void runActions() {
    for (Runnable action : actions) {
      try {
        action.run();
      } catch (RuntimeException | Error failed) {
        LOG.warn("micronaut: an action after commit failed; the commit stands", failed);
      }
    }
  }
}
