package io.postroad.framework.internal.transaction;

import io.postroad.message.PostroadException;
import io.postroad.transaction.TransactionEndedException;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Reads the state of a transaction from the PostgreSQL driver, without a round trip. Other drivers
 * know nothing: then nothing is refused.
 */
public final class PostgresState {
  private static final boolean HAS_DRIVER = hasDriver();

  private PostgresState() {}

  private static boolean hasDriver() {
    try {
      Class.forName(
          "org.postgresql.core.BaseConnection", false, PostgresState.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }

  /**
   * Refuses to commit after a failed statement. PostgreSQL answers such a commit with a rollback,
   * and the driver reports success.
   */
  public static void requireCommittable(Connection transaction) {
    if (HAS_DRIVER && Driver.is(transaction, TransactionState.FAILED)) {
      throw new PostroadException(
          "nothing was committed: a statement of this transaction has failed, so PostgreSQL only"
              + " lets it roll back; let the statement's exception through, or set a savepoint"
              + " before it");
    }
  }

  /** Refuses to go on after the work has ended the transaction itself. */
  public static void requireUnended(Connection transaction) {
    if (HAS_DRIVER && Driver.is(transaction, TransactionState.IDLE)) {
      throw new TransactionEndedException("rollback() or commit(), in Java or as SQL,");
    }
  }

  /** Returns whether statements on the connection are neither committed nor rolled back. */
  public static boolean isOpen(Connection connection) {
    return HAS_DRIVER
        && (Driver.is(connection, TransactionState.OPEN)
            || Driver.is(connection, TransactionState.FAILED));
  }

  /** Loaded only where the driver is on the class path. */
  private static final class Driver {
    private Driver() {}

    static boolean is(Connection connection, TransactionState state) {
      try {
        return connection.isWrapperFor(BaseConnection.class)
            && connection.unwrap(BaseConnection.class).getTransactionState() == state;
      } catch (SQLException broken) {
        return false;
      }
    }
  }
}
