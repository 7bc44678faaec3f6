package io.postroad.postgres.internal.jdbc;

import io.postroad.message.PostroadException;
import io.postroad.transaction.TransactionEndedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One unit of work: a connection out of autocommit, until it is committed or rolled back. */
final class JdbcUnit {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcUnit.class);

  private final Connection connection;
  private final HandedConnection handed;
  private final Connection proxy;
  private final boolean autoCommit;
  private final List<Runnable> afterCommit = new ArrayList<>();
  private @Nullable Throwable innerFailure;
  private int depth;
  private boolean undecided;

  private JdbcUnit(Connection connection, boolean autoCommit) {
    this.connection = connection;
    this.handed = new HandedConnection(connection);
    this.proxy = handed.proxy();
    this.autoCommit = autoCommit;
  }

  static JdbcUnit begin(DataSource dataSource) {
    try {
      Connection connection = dataSource.getConnection();
      try {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        return new JdbcUnit(connection, autoCommit);
      } catch (SQLException failed) {
        connection.close();
        throw failed;
      }
    } catch (SQLException failed) {
      throw SqlErrors.failed("begin a transaction", failed);
    }
  }

  /** The connection for the work of this unit, which must not end the transaction. */
  Connection connection() {
    return proxy;
  }

  void requireUnended() {
    handed
        .ended()
        .ifPresent(
            how -> {
              throw new TransactionEndedException(how);
            });
  }

  void addAfterCommit(Runnable action) {
    afterCommit.add(action);
  }

  /** An inner unit begins. */
  void enter() {
    depth++;
  }

  void leave() {
    depth--;
  }

  /** Whether nothing but this unit itself is in the way of its commit. */
  boolean isCommittable() {
    return depth == 0 && innerFailure == null && handed.ended().isEmpty();
  }

  /** The commit went with the last writes of the unit. */
  void committed() {
    handed.committed();
  }

  /** An inner unit has failed, so this one can no longer commit; the first failure is kept. */
  void failBecauseOf(Throwable failure) {
    if (innerFailure == null) {
      innerFailure = failure;
    }
  }

  void commit() {
    if (innerFailure != null) {
      throw new PostroadException(
          "nothing was committed: a unit of work inside this one failed (%s) and was rolled back"
                  .formatted(innerFailure.getClass().getSimpleName())
              + " with it; let its exception through, or do that work in a transaction of its own",
          innerFailure);
    }
    requireUnended();
    try {
      requireNoFailedStatement();
      if (handed.isMarked()) {
        TransactionLimit.commitIfSame(connection);
      } else {
        connection.commit();
      }
    } catch (SQLException failed) {
      throw SqlErrors.isConnectionLost(failed)
          ? SqlErrors.unknownOutcome(failed)
          : SqlErrors.failed("commit the transaction", failed);
    }
  }

  /**
   * PostgreSQL answers a commit after a failed statement with a rollback, and the driver is silent.
   */
  private void requireNoFailedStatement() throws SQLException {
    if (connection.isWrapperFor(BaseConnection.class)
        && connection.unwrap(BaseConnection.class).getTransactionState()
            == TransactionState.FAILED) {
      throw new PostroadException(
          "nothing was committed: a statement of this transaction has failed, so PostgreSQL only"
              + " lets it roll back; let the statement's exception through, or set a savepoint"
              + " before it");
    }
  }

  void rollback(Throwable because) {
    try {
      connection.rollback();
    } catch (SQLException | RuntimeException failed) {
      undecided = true;
      because.addSuppressed(failed);
    }
  }

  /**
   * Gives the connection back. The outcome is decided by now, so a failure here changes nothing.
   */
  void release() {
    try (connection) {
      if (undecided) {
        // Switching autocommit on would commit what could not be rolled back.
        connection.abort(Runnable::run);
      } else if (autoCommit) {
        connection.setAutoCommit(true);
      }
    } catch (SQLException failed) {
      LOG.debug("a connection broke at the end of a transaction; its pool will replace it", failed);
    }
  }

  void runAfterCommit() {
    for (Runnable action : afterCommit) {
      try {
        action.run();
      } catch (RuntimeException | Error failed) {
        LOG.warn("postgres: an action after commit failed; the commit stands", failed);
      }
    }
  }
}
