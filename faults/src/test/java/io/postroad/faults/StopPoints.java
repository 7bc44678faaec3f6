package io.postroad.faults;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Lets a thread stand still for ever when it comes to the point that is armed. */
final class StopPoints {
  static final String AT = "AT ";

  private volatile @Nullable Point armed;

  void arm(Point point) {
    armed = point;
  }

  boolean isArmed(Point point) {
    return armed == point;
  }

  void reach(Point point) {
    if (isArmed(point)) {
      System.out.println(AT + point);
      while (true) {
        LockSupport.park();
        boolean unused = Thread.interrupted();
      }
    }
  }

  /** The same DataSource, with {@link Point#ROTATION} after each TRUNCATE. */
  DataSource watching(DataSource dataSource) {
    return proxy(
        DataSource.class,
        dataSource,
        (called, args, result) ->
            result instanceof Connection connection ? watching(connection) : result);
  }

  private Connection watching(Connection connection) {
    return proxy(
        Connection.class,
        connection,
        (called, args, result) ->
            result instanceof PreparedStatement statement
                    && args != null
                    && ((String) args[0]).toUpperCase(Locale.ROOT).contains("TRUNCATE ")
                ? watching(statement)
                : result);
  }

  private PreparedStatement watching(PreparedStatement truncate) {
    return proxy(
        PreparedStatement.class,
        truncate,
        (called, args, result) -> {
          if (called.startsWith("execute")) {
            reach(Point.ROTATION);
          }
          return result;
        });
  }

  private interface After {
    @Nullable Object call(String called, Object @Nullable [] args, @Nullable Object result);
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader() == null
                ? StopPoints.class.getClassLoader()
                : type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> {
              try {
                return after.call(method.getName(), args, method.invoke(target, args));
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            }));
  }
}
