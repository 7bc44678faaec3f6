package io.postroad.framework.internal.transaction;

import io.postroad.message.PostroadException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the actions after the commit of one transaction, and the first failure of a nested call.
 * Used by the thread that runs the transaction.
 */
public final class TransactionCompletion {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionCompletion.class);

  private final List<Runnable> actions = new ArrayList<>();
  private @Nullable Throwable nestedFailure;
  private boolean committed;

  public void afterCommit(Runnable action) {
    actions.add(action);
  }

  /** Returns how many actions there are, for {@link #rollbackTo}. */
  public int savepoint() {
    return actions.size();
  }

  /** Forgets the actions and the failure of the work since a savepoint. */
  public void rollbackTo(int savepoint) {
    actions.subList(savepoint, actions.size()).clear();
    nestedFailure = null;
  }

  /** Notes that a nested call failed, so that the transaction can no longer commit. */
  public void failBecauseOf(Throwable failure) {
    if (nestedFailure == null) {
      nestedFailure = failure;
    }
  }

  /** Refuses to commit after a nested call has failed; not every manager does that by itself. */
  public void requireNoFailure() {
    if (nestedFailure != null) {
      throw nothingCommitted(nestedFailure);
    }
  }

  /** Returns the exception for a transaction that could not be committed. */
  public PostroadException nothingCommitted(@Nullable Throwable thrown) {
    String cause =
        nestedFailure == null
            ? "a participant marked this transaction as rollback-only"
            : "a nested call failed (%s)".formatted(nestedFailure.getClass().getSimpleName());
    return new PostroadException(
        "nothing was committed: %s and was rolled back with it; let its exception through, or do that work in a transaction of its own"
            .formatted(cause),
        nestedFailure == null ? thrown : nestedFailure);
  }

  /** Notes the outcome. */
  public void complete(boolean isCommitted) {
    committed = isCommitted;
  }

  public boolean isCommitted() {
    return committed;
  }

  /** Runs the actions of a committed transaction; an exception of one does not stop the next. */
  public void runActions() {
    for (Runnable action : actions) {
      try {
        action.run();
      } catch (RuntimeException | Error failed) {
        LOG.warn("an action after commit failed; the commit stands", failed);
      }
    }
  }
}
