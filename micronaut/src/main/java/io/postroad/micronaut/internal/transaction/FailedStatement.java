package io.postroad.micronaut.internal.transaction;

import io.micronaut.core.reflect.ClassUtils;
import io.postroad.message.PostroadException;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * PostgreSQL answers a commit after a failed statement with a rollback, and the driver is silent:
 * whoever swallowed the failure would be told that all is committed.
 */
public final class FailedStatement {
  private static final boolean HAS_DRIVER =
      ClassUtils.isPresent(
          "org.postgresql.core.BaseConnection", FailedStatement.class.getClassLoader());

  private FailedStatement() {}

  /** Throws when a statement of this transaction has failed. */
  public static void refuse(Connection transaction) {
    if (HAS_DRIVER && Driver.is(transaction, TransactionState.FAILED)) {
      throw new PostroadException(
          "nothing was committed: a statement of this transaction has failed, so PostgreSQL only"
              + " lets it roll back; let the statement's exception through, or set a savepoint"
              + " before it");
    }
  }

  /** Whether something was done on the connection that is neither committed nor rolled back. */
  public static boolean isOpen(Connection connection) {
    return HAS_DRIVER
        && (Driver.is(connection, TransactionState.OPEN)
            || Driver.is(connection, TransactionState.FAILED));
  }

  /** Whether the driver knows that no transaction is open on a connection. */
  public static boolean isIdle(Connection connection) {
    return HAS_DRIVER && Driver.is(connection, TransactionState.IDLE);
  }

  /** Of its own, so that nothing of the driver is needed where it is not. */
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
