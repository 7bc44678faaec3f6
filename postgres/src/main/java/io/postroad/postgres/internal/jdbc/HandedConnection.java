package io.postroad.postgres.internal.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * The connection of a unit as work gets it. Refuses {@code commit()} and a switch to autocommit,
 * which would commit a part of the unit, and remembers {@code rollback()}, after which the unit
 * must not commit what is left. At each call it looks whether the driver still has a transaction
 * open, so that it knows of most that were ended in SQL, too. Savepoints stay the work's own. Costs
 * no round trip. Used by the thread of the unit; another thread may abort it.
 */
public final class HandedConnection implements InvocationHandler {
  /** Invalid transaction termination. */
  private static final String INVALID_END = "2D000";

  private final Connection connection;
  private volatile boolean wasOpen;
  private volatile boolean isMarked;
  private volatile @Nullable String ended;

  HandedConnection(Connection connection) {
    this.connection = connection;
  }

  Connection proxy() {
    return (Connection)
        Proxy.newProxyInstance(
            HandedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
  }

  /** Finds what a connection is, if it is that of a unit. */
  public static Optional<HandedConnection> of(Connection transaction) {
    return Proxy.isProxyClass(transaction.getClass())
            && Proxy.getInvocationHandler(transaction) instanceof HandedConnection handed
        ? Optional.of(handed)
        : Optional.empty();
  }

  /** Returns how the work has ended the transaction, if that is known. */
  Optional<String> ended() {
    look();
    return Optional.ofNullable(ended);
  }

  /** The unit itself has committed. */
  void committed() {
    wasOpen = false;
    isMarked = false;
  }

  /** The first statement of the transaction was one of {@link TransactionLimit}. */
  public void mark() {
    isMarked = true;
  }

  boolean isMarked() {
    return isMarked;
  }

  private void look() {
    boolean isOpen = isOpen();
    if (wasOpen && !isOpen && ended == null) {
      ended = "ROLLBACK or COMMIT";
    }
    wasOpen |= isOpen;
  }

  private boolean isOpen() {
    try {
      return connection.isWrapperFor(BaseConnection.class)
          && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE;
    } catch (SQLException broken) {
      // A connection that is closed can commit nothing.
      return wasOpen;
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    look();
    int count = given == null ? 0 : given.length;
    String name = method.getName();
    if (name.equals("equals") && given != null) {
      return proxy == given[0];
    } else if (name.equals("hashCode") && count == 0) {
      return System.identityHashCode(proxy);
    } else if (name.equals("commit")
        || (name.equals("setAutoCommit") && given != null && Boolean.TRUE.equals(given[0]))) {
      throw new SQLException(
          "%s() is refused: this transaction belongs to a unit of work, which commits when its work returns"
              .formatted(name),
          INVALID_END);
    } else if (name.equals("rollback") && count == 0) {
      ended = "rollback()";
    }
    try {
      return method.invoke(connection, given);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() == null ? failed : failed.getCause();
    }
  }
}
