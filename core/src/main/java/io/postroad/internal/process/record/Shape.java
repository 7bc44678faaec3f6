package io.postroad.internal.process.record;

import org.jspecify.annotations.Nullable;

/** Writes values of a type as maps, lists, text and numbers, and reads them. */
interface Shape {

  /** Converts a value to a type of JSON. */
  @Nullable Object write(@Nullable Object value, ValuePath at);

  /** Reads a value. */
  @Nullable Object read(@Nullable Object written, ValuePath at);
}
