package io.postroad.benchmarks.outbox;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a contender sends to the database through JDBC: each statement, each of a batch, each
 * commit and rollback. What a thread sends while it enqueues is left out, so what remains is the
 * relay's, and its connections are not even wrapped: a wrapper makes each call dearer, and who
 * binds more columns calls more. Result sets are not wrapped either. Thread-safe.
 */
final class StatementCount {
  private final LongAdder count = new LongAdder();
  private final ThreadLocal<Boolean> enqueuing = ThreadLocal.withInitial(() -> false);

  /** What is done here is not counted. */
  @FunctionalInterface
  interface Enqueue {
    void run() throws SQLException;
  }

  void leaveOut(Enqueue enqueue) throws SQLException {
    enqueuing.set(true);
    try {
      enqueue.run();
    } finally {
      enqueuing.set(false);
    }
  }

  long total() {
    return count.sum();
  }

  /** The same pool; what goes through its connections is counted. */
  DataSource counted(DataSource pool) {
    return wrap(
        DataSource.class,
        pool,
        (method, result) ->
            result instanceof Connection made && !enqueuing.get() ? counted(made) : result);
  }

  /** The same connection; what goes through it is counted. */
  Connection counted(Connection connection) {
    return wrap(
        Connection.class,
        connection,
        (method, result) -> {
          if (method.getName().equals("commit") || method.getName().equals("rollback")) {
            add(1);
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
                add(batch.length);
              } else if (method.getName().startsWith("execute")) {
                add(1);
              }
              return result;
            });
  }

  private void add(int statements) {
    count.add(statements);
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
