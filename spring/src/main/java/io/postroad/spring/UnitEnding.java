package io.postroad.spring;

import io.postroad.message.PostroadException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What is to be done at the end of one transaction. Used by the thread that is in it. */
final class UnitEnding implements TransactionSynchronization {
  private static final Logger LOG = LoggerFactory.getLogger(UnitEnding.class);

  private final boolean ownUnit;
  private final Runnable check;
  private final List<Runnable> actions = new ArrayList<>();

  /** How many there were at a savepoint; none at one that was set before this was made. */
  private final Map<Object, Integer> added = new HashMap<>();

  private @Nullable Throwable innerFailure;
  private boolean ending;
  private boolean committed;

  private UnitEnding(boolean ownUnit, Runnable check) {
    this.ownUnit = ownUnit;
    this.check = check;
  }

  /**
   * Of a unit that runs the actions itself, when the transaction has left the thread.
   *
   * @param check throws when the transaction cannot be committed
   */
  static UnitEnding ofOwnUnit(Runnable check) {
    return new UnitEnding(true, check);
  }

  /** That of the transaction that this thread is in; one that others began gets its own. */
  static UnitEnding ofCurrent(Runnable check) {
    for (TransactionSynchronization each :
        TransactionSynchronizationManager.getSynchronizations()) {
      if (each instanceof UnitEnding ending) {
        return ending;
      }
    }
    UnitEnding ending = new UnitEnding(false, check);
    TransactionSynchronizationManager.registerSynchronization(ending);
    return ending;
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

  Optional<Throwable> innerFailure() {
    return Optional.ofNullable(innerFailure);
  }

  String whatFailedInside() {
    return innerFailure == null
        ? "something inside this unit of work was marked rollback-only"
        : "a unit of work inside this one failed (%s)"
            .formatted(innerFailure.getClass().getSimpleName());
  }

  @Override
  public void beforeCommit(boolean readOnly) {
    if (innerFailure != null) {
      // A manager that does not mind the failure of a participant comes to here.
      throw new PostroadException(
          "nothing was committed: %s; let its exception through".formatted(whatFailedInside()),
          innerFailure);
    }
    check.run();
  }

  @Override
  public void beforeCompletion() {
    ending = true;
  }

  /** Tells whether this is of a unit that began its transaction, and has not begun to end it. */
  boolean isOfOpenUnit() {
    return ownUnit && !ending;
  }

  /** NESTED: what is added from here on is part of it. */
  @Override
  public void savepoint(Object savepoint) {
    added.put(savepoint, actions.size());
  }

  /** What was to be done after the commit was for what is not there any more. */
  @Override
  public void savepointRollback(Object savepoint) {
    int before = added.getOrDefault(savepoint, 0);
    actions.subList(before, actions.size()).clear();
    innerFailure = null;
  }

  /** Not afterCommit: what is thrown there reaches the caller, and others are not told. */
  @Override
  public void afterCompletion(int status) {
    committed = status == STATUS_COMMITTED;
    if (!committed) {
      actions.clear();
    } else if (!ownUnit) {
      runActions();
    }
  }

  boolean isCommitted() {
    return committed;
  }

  void runActions() {
    for (Runnable action : actions) {
      try {
        action.run();
      } catch (RuntimeException | Error failed) {
        LOG.warn("spring: an action after commit failed; the commit stands", failed);
      }
    }
  }
}
