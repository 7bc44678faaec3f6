package io.postroad.internal.process.record;

import org.jspecify.annotations.Nullable;

/** How values of a type are written as maps, lists, text and numbers, and read again. */
interface Shape {

  /** The value as something that a JSON library knows. */
  @Nullable Object write(@Nullable Object value, ValuePath at);

  /** The value that was written so. */
  @Nullable Object read(@Nullable Object written, ValuePath at);
}
