package io.postroad.postgres.internal.jdbc;

import io.postroad.transaction.Transactions.Work;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one transaction that wait for its next statement, to save the way to the server. Used
 * by the thread that runs the transaction.
 */
public final class LateWrites {
  private static final ThreadLocal<@Nullable LateWrites> CURRENT = new ThreadLocal<>();

  private final Connection transaction;
  private final boolean isLast;
  private final Optional<JdbcUnit> committed;
  private List<JoinedStatement.Later> waiting = new ArrayList<>();
  private @Nullable RuntimeException failure;

  private LateWrites(Connection transaction, boolean isLast, Optional<JdbcUnit> committed) {
    this.transaction = transaction;
    this.isLast = isLast;
    this.committed = committed;
  }

  /** Does work whose writes are all done when it returns. Work inside of other work joins it. */
  public static <R, E extends Exception> R with(Connection transaction, Work<Connection, R, E> work)
      throws E {
    @Nullable LateWrites outer = CURRENT.get();
    return outer != null && outer.transaction == transaction
        ? work.call(transaction)
        : with(new LateWrites(transaction, false, Optional.empty()), outer, work);
  }

  /**
   * {@link #with} for the last work of a unit: the commit goes with its last writes, if each of
   * them fails at the server when it does not hold, and no unit inside of it has failed.
   */
  static <R, E extends Exception> R withCommit(JdbcUnit unit, Work<Connection, R, E> work)
      throws E {
    return with(new LateWrites(unit.transaction(), true, Optional.of(unit)), CURRENT.get(), work);
  }

  /** {@link #with} for the last work of a transaction that a framework commits. */
  static <R, E extends Exception> R withoutCommit(
      Connection transaction, Work<Connection, R, E> work) throws E {
    return with(new LateWrites(transaction, true, Optional.empty()), CURRENT.get(), work);
  }

  private static <R, E extends Exception> R with(
      LateWrites late, @Nullable LateWrites outer, Work<Connection, R, E> work) throws E {
    CURRENT.set(late);
    try {
      R result = work.call(late.transaction);
      late.requireAllWritten();
      late.writeRest();
      return result;
    } finally {
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }

  /** Returns the waiting writes of this transaction, if it batches its writes just now. */
  public static Optional<LateWrites> of(Connection transaction) {
    return Optional.ofNullable(CURRENT.get()).filter(late -> late.transaction == transaction);
  }

  /** Takes the writes that wait for the next statement of this transaction. */
  static List<JoinedStatement.Later> takenFrom(Connection transaction) {
    return of(transaction).map(LateWrites::take).orElse(List.of());
  }

  /** Returns the last writes of this transaction: each fails at the server if it does not hold. */
  public static Optional<LateWrites> lastOf(Connection transaction) {
    return of(transaction).filter(late -> late.isLast);
  }

  private void writeRest() {
    List<JoinedStatement.Later> rest = take();
    if (rest.isEmpty()) {
      return;
    }
    boolean mayCommit = committed.isPresent() && committed.get().isCommittable();
    if (mayCommit && rest.stream().allMatch(JoinedStatement.Later::isSure)) {
      JoinedStatement.runAllAndCommit(transaction, rest);
      committed.get().committed();
    } else {
      JoinedStatement.runAll(transaction, rest);
    }
  }

  void add(JoinedStatement.Later write) {
    waiting.add(write);
  }

  /** Remembers a failure: the writes that went with it are lost, even if a caller catches it. */
  static RuntimeException failed(Connection transaction, RuntimeException failure) {
    of(transaction).ifPresent(late -> late.failure = late.failure == null ? failure : late.failure);
    return failure;
  }

  private void requireAllWritten() {
    if (failure != null) {
      throw failure;
    }
  }

  private List<JoinedStatement.Later> take() {
    List<JoinedStatement.Later> taken = waiting;
    waiting = new ArrayList<>();
    return taken;
  }
}
