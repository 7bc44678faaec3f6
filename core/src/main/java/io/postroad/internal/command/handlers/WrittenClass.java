package io.postroad.internal.command.handlers;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells written classes from the proxies that frameworks make of them. */
public final class WrittenClass {
  /** In the names of what CGLIB, Weld and Guice make; ByteBuddy; Micronaut. */
  private static final List<String> MARKS = List.of("$$", "$ByteBuddy$", "$Intercepted");

  private WrittenClass() {}

  /** The class, or the first above it that is no proxy; {@code Object} if all are. */
  public static Class<?> of(Class<?> type) {
    for (Class<?> each : line(type)) {
      if (!isMade(each)) {
        return each;
      }
    }
    return Object.class;
  }

  /** The class itself and those above it, without {@code Object}. */
  static List<Class<?>> line(Class<?> type) {
    List<Class<?>> line = new ArrayList<>();
    for (@Nullable Class<?> each = type;
        each != null && !each.equals(Object.class);
        each = each.getSuperclass()) {
      line.add(each);
    }
    return line;
  }

  /** What the classes of the line implement; what these extend comes with {@code getMethods}. */
  static List<Class<?>> interfaces(Class<?> type) {
    return line(type).stream()
        .<Class<?>>flatMap(each -> Stream.of(each.getInterfaces()))
        .distinct()
        .toList();
  }

  private static boolean isMade(Class<?> type) {
    return Proxy.class.isAssignableFrom(type)
        || MARKS.stream().anyMatch(mark -> type.getName().contains(mark));
  }
}
