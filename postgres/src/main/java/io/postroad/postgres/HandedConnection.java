package io.postroad.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a unit as work gets it. Refuses {@code commit()} and a switch to autocommit,
 * which would commit a part of the unit, and remembers {@code rollback()}, after which the unit
 * must not commit what is left. Savepoints stay the work's own. Costs no round trip. Used by the
 * thread of the unit; another thread may abort it.
 */
final class HandedConnection implements InvocationHandler {
  /** Invalid transaction termination. */
  private static final String INVALID_END = "2D000";

  private final Connection connection;
  private volatile boolean isRolledBack;

  HandedConnection(Connection connection) {
    this.connection = connection;
  }

  Connection proxy() {
    return (Connection)
        Proxy.newProxyInstance(
            HandedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
  }

  boolean isRolledBack() {
    return isRolledBack;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
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
      isRolledBack = true;
    }
    try {
      return method.invoke(connection, given);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() == null ? failed : failed.getCause();
    }
  }
}
