package io.postroad.internal.process.record;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists and sets, written in their order. */
record ListShape(Shape element, boolean isSet, Function<List<@Nullable Object>, Object> made)
    implements Shape {

  static ListShape list(Shape element) {
    return new ListShape(element, false, Collections::unmodifiableList);
  }

  static ListShape set(Shape element) {
    return new ListShape(
        element, true, list -> Collections.unmodifiableSet(new LinkedHashSet<>(list)));
  }

  @Override
  public Object write(@Nullable Object value, ValuePath at) {
    if (!(value instanceof Collection<?> elements)) {
      throw at.expected("a list", value);
    }
    List<@Nullable Object> written = new ArrayList<>(elements.size());
    for (Object each : elements) {
      written.add(element.write(each, at.element(written.size())));
    }
    return written;
  }

  @Override
  public Object read(@Nullable Object written, ValuePath at) {
    if (!(written instanceof List<?> elements)) {
      throw at.expected("a list", written);
    }
    List<@Nullable Object> values = new ArrayList<>(elements.size());
    for (Object each : elements) {
      values.add(element.read(each, at.element(values.size())));
    }
    Object read = made.apply(values);
    if (isSet && ((Collection<?>) read).size() < values.size()) {
      throw at.wrong("must be a set, got something twice", null);
    }
    return read;
  }
}
