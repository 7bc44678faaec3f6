package io.postroad.benchmarks.outbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Counts the round trips of a contender to the database with JDBC: statements (also several sent
 * together), each statement of a batch, commits and rollbacks. The connections of writers are not
 * wrapped, because a wrapper makes each call slower, and more so for contenders with more columns.
 * Result sets are not wrapped either. Thread-safe.
 */
public final class JdbcCounter {
  private final StatementCount count;

  public JdbcCounter(StatementCount count) {
    this.count = count;
  }

  /** Wraps a pool to count the statements of its connections. */
  public DataSource counted(DataSource pool) {
    return wrap(
        DataSource.class,
        pool,
        method ->
            result ->
                result instanceof Connection made && !count.leavesOut() ? counted(made) : result);
  }

  /** Wraps a connection to count its statements. */
  Connection counted(Connection connection) {
    return wrap(
        Connection.class,
        connection,
        method -> {
          if (isEnd(method) && isOpen(connection)) {
            count.add(1);
          }
          return result -> result instanceof Statement made ? counted(method, made) : result;
        });
  }

  private static boolean isEnd(Method method) {
    return method.getName().equals("commit") || method.getName().equals("rollback");
  }

  /**
   * Returns whether a commit is sent. The driver sends none if there is nothing to commit, or if it
   * was sent with a statement.
   */
  private static boolean isOpen(Connection connection) throws SQLException {
    return connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE;
  }

  private Statement counted(Method maker, Statement statement) {
    return (Statement)
        wrap(
            maker.getReturnType(),
            statement,
            method ->
                result -> {
                  if (result instanceof int[] batch) {
                    count.add(batch.length);
                  } else if (method.getName().startsWith("execute")) {
                    count.add(1);
                  }
                  return result;
                });
  }

  /** Inspects a call before it is made. */
  @FunctionalInterface
  private interface Before {
    After called(Method method) throws SQLException;
  }

  /** Inspects and replaces the result of a call. */
  @FunctionalInterface
  private interface After {
    @Nullable Object returned(@Nullable Object result);
  }

  private static <T> T wrap(Class<T> type, Object target, Before before) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("equals")) {
            return proxy == arguments[0];
          }
          try {
            After after = before.called(method);
            return after.returned(method.invoke(target, arguments));
          } catch (InvocationTargetException failed) {
            throw failed.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
