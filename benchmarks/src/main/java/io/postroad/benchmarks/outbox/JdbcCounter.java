package io.postroad.benchmarks.outbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a contender sends to the database through JDBC: each statement, each of a batch, each
 * commit and rollback. The connections of those who enqueue are not even wrapped: a wrapper makes
 * each call dearer, and who binds more columns calls more. Result sets are not wrapped either.
 * Thread-safe.
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
        (method, result) ->
            result instanceof Connection made && !count.leavesOut() ? counted(made) : result);
  }

  /** The same connection; what goes through it is counted. */
  Connection counted(Connection connection) {
    return wrap(
        Connection.class,
        connection,
        (method, result) -> {
          if (method.getName().equals("commit") || method.getName().equals("rollback")) {
            count.add(1);
          }
          return result instanceof Statement made ? counted(method, made) : result;
        });
  }

  private Statement counted(Method maker, Statement statement) {
    return (Statement)
        wrap(
            maker.getReturnType(),
            statement,
            (method, result) -> {
              if (result instanceof int[] batch) {
                count.add(batch.length);
              } else if (method.getName().startsWith("execute")) {
                count.add(1);
              }
              return result;
            });
  }

  @FunctionalInterface
  private interface After {
    @Nullable Object returned(Method method, @Nullable Object result);
  }

  private static <T> T wrap(Class<T> type, Object target, After after) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("equals")) {
            return proxy == arguments[0];
          }
          try {
            return after.returned(method, method.invoke(target, arguments));
          } catch (InvocationTargetException failed) {
            throw failed.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
