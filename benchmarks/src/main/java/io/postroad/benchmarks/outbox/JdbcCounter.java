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
 * Counts what a contender sends to the database through JDBC: each statement, or several that go
 * together, each of a batch, each commit and rollback that is sent. The connections of those who
 * enqueue are not even wrapped: a wrapper makes each call dearer, and who binds more columns calls
 * more. Result sets are not wrapped either. Thread-safe.
 */
public final class JdbcCounter {
  private final StatementCount count;

  public JdbcCounter(StatementCount count) {
    this.count = count;
  }

  /** The same pool; what goes through its connections is counted. */
  public DataSource counted(DataSource pool) {
    return wrap(
        DataSource.class,
        pool,
        method ->
            result ->
                result instanceof Connection made && !count.leavesOut() ? counted(made) : result);
  }

  /** The same connection; what goes through it is counted. */
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

  /** The driver sends no commit where there is nothing to commit, or it went with a statement. */
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

  /** Looks at a call before it is made. */
  @FunctionalInterface
  private interface Before {
    After called(Method method) throws SQLException;
  }

  /** Looks at what a call returned; what it returns then. */
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
