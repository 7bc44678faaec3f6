package io.postroad.postgres.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a transaction from outside the thread that uses it.
 *
 * <p>Without its connection it can never be committed, unless the commit is on its way already, and
 * the server rolls back as soon as it sees that the client is gone. While a statement runs it does
 * not look, so that one is cancelled, too. The pool gets its place back at once: the thread may
 * never return it.
 */
public final class TransactionAbort {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionAbort.class);

  private TransactionAbort() {}

  public static void of(Connection transaction) {
    Optional<BaseConnection> driver = driver(transaction);
    try {
      transaction.abort(Runnable::run);
    } catch (SQLException failed) {
      throw SqlErrors.failed("abort a transaction", failed);
    }
    driver.ifPresent(TransactionAbort::cancel);
    giveBack(transaction);
  }

  private static Optional<BaseConnection> driver(Connection transaction) {
    try {
      return transaction.isWrapperFor(BaseConnection.class)
          ? Optional.of(transaction.unwrap(BaseConnection.class))
          : Optional.empty();
    } catch (SQLException closed) {
      LOG.debug("postgres: a transaction ended by itself before it was aborted");
      return Optional.empty();
    }
  }

  private static void cancel(BaseConnection driver) {
    try {
      // If it is open, the thread was quicker, and the connection may have another user by now.
      if (driver.isClosed()) {
        driver.getQueryExecutor().sendQueryCancel();
      }
    } catch (SQLException failed) {
      LOG.debug("postgres: the statement of an aborted transaction runs to its end", failed);
    }
  }

  private static void giveBack(Connection transaction) {
    try {
      transaction.close();
    } catch (SQLException broken) {
      LOG.debug("postgres: an aborted connection is gone; its pool will replace it", broken);
    }
  }
}
