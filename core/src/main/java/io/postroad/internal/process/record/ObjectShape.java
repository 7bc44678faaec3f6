package io.postroad.internal.process.record;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A value that is written as a map of components. */
interface ObjectShape extends Shape {

  @Override
  Map<String, @Nullable Object> write(@Nullable Object value, ValuePath at);

  @Override
  Object read(@Nullable Object written, ValuePath at);
}
