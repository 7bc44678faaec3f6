package io.postroad.internal.process.record;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps, written in their order. */
record MapShape(Shape key, Shape value) implements Shape {

  @Override
  public Object write(@Nullable Object map, ValuePath at) {
    if (!(map instanceof Map<?, ?> entries)) {
      throw at.expected("a map", map);
    }
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    entries.forEach(
        (each, its) -> {
          if (!(key.write(each, at) instanceof String name)) {
            throw at.wrong("must have keys that are written as text", null);
          }
          written.put(name, value.write(its, at.component(name)));
        });
    return written;
  }

  @Override
  public Object read(@Nullable Object written, ValuePath at) {
    if (!(written instanceof Map<?, ?> entries)) {
      throw at.expected("a map", written);
    }
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    entries.forEach(
        (name, its) ->
            map.put(key.read(name, at), value.read(its, at.component(String.valueOf(name)))));
    return Collections.unmodifiableMap(map);
  }
}
