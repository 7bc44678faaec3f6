package io.postroad.internal.process.record;

import org.jspecify.annotations.Nullable;

/** Values that JSON has itself. */
record PlainShape(Class<?> type, String what) implements Shape {
  @Override
  public Object write(@Nullable Object value, ValuePath at) {
    return checked(value, at);
  }

  @Override
  public Object read(@Nullable Object written, ValuePath at) {
    return checked(written, at);
  }

  private Object checked(@Nullable Object value, ValuePath at) {
    if (value == null || !type.isInstance(value)) {
      throw at.expected(what, value);
    }
    return value;
  }
}
