package io.postroad.internal.process.record;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Values that are written as text. */
record TextShape(
    Class<?> type, String what, Function<Object, String> text, Function<String, Object> parse)
    implements Shape {

  TextShape(Class<?> type, String what, Function<String, Object> parse) {
    this(type, what, Object::toString, parse);
  }

  /** Uses the names of the constants, not {@code toString}. */
  static TextShape ofEnum(Class<?> type) {
    Map<String, Object> byName = new LinkedHashMap<>();
    Arrays.stream(type.getEnumConstants())
        .forEach(each -> byName.put(((Enum<?>) each).name(), each));
    return new TextShape(
        type,
        "one of " + byName.keySet(),
        value -> ((Enum<?>) value).name(),
        name -> constant(byName, name));
  }

  private static Object constant(Map<String, Object> byName, String name) {
    Object constant = byName.get(name);
    if (constant == null) {
      throw new IllegalArgumentException("no such constant");
    }
    return constant;
  }

  @Override
  public String write(@Nullable Object value, ValuePath at) {
    if (value == null) {
      throw at.expected(what, null);
    }
    return text.apply(value);
  }

  @Override
  public Object read(@Nullable Object written, ValuePath at) {
    if (!(written instanceof String known)) {
      throw at.expected(what + " as text", written);
    }
    try {
      return parse.apply(known);
    } catch (RuntimeException wrong) {
      throw at.wrong("must be %s, got other text".formatted(what), null);
    }
  }
}
