package io.postroad.postgres.internal.jdbc;

import io.postroad.internal.store.UnitOfWork;
import io.postroad.message.PostroadException;
import io.postroad.transaction.TransactionEndedException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One unit of work: a connection out of autocommit, until it is committed or rolled back. */
final class JdbcUnit extends UnitOfWork<Connection> {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcUnit.class);

  private final Connection connection;
  private final HandedConnection handed;
  private final boolean autoCommit;
  private boolean undecided;

  private JdbcUnit(Connection connection, HandedConnection handed, boolean autoCommit) {
    super(handed.proxy());
    this.connection = connection;
    this.handed = handed;
    this.autoCommit = autoCommit;
  }

  static JdbcUnit begin(DataSource dataSource) {
    try {
      Connection connection = dataSource.getConnection();
      try {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        return new JdbcUnit(connection, new HandedConnection(connection), autoCommit);
      } catch (SQLException failed) {
        connection.close();
        throw failed;
      }
    } catch (SQLException failed) {
      throw SqlErrors.failed("begin a transaction", failed);
    }
  }

  @Override
  public void requireUnended() {
    handed
        .ended()
        .ifPresent(
            how -> {
              throw new TransactionEndedException(how);
            });
  }

  /** Returns whether the next step of this unit may be its commit. */
  boolean isCommittable() {
    return isAlone() && handed.ended().isEmpty();
  }

  /** The commit went with the last writes of the unit. */
  void committed() {
    handed.committed();
  }

  void commit() {
    requireNoInnerFailure(true);
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
}
