package io.postroad.internal.process.record;

import org.jspecify.annotations.Nullable;

/** A value that the JSON library converts itself. */
record AnyShape() implements Shape {
  @Override
  public @Nullable Object write(@Nullable Object value, ValuePath at) {
    return value;
  }

  @Override
  public @Nullable Object read(@Nullable Object written, ValuePath at) {
    return written;
  }
}
