package io.postroad.internal.process.record;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One of several records, known by its {@code kind}. */
final class SealedShape implements ObjectShape {
  private static final String KIND = "kind";

  private final Map<String, Class<?>> byKind = new TreeMap<>();

  SealedShape(Class<?> type) {
    addAll(type);
  }

  private void addAll(Class<?> type) {
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      if (permitted.isSealed()) {
        addAll(permitted);
      } else {
        add(type, permitted);
      }
    }
  }

  private void add(Class<?> type, Class<?> permitted) {
    boolean hasKind =
        permitted.isRecord()
            && Arrays.stream(permitted.getRecordComponents())
                .anyMatch(component -> component.getName().equals(KIND));
    if (!permitted.isRecord()
        || hasKind
        || byKind.put(permitted.getSimpleName(), permitted) != null) {
      throw new IllegalArgumentException(
          ("%s cannot be written as a %s: it must be a record with a simple name of its own,"
                  + " and without a component 'kind'")
              .formatted(permitted.getName(), type.getSimpleName()));
    }
  }

  @Override
  public Map<String, @Nullable Object> write(@Nullable Object value, ValuePath at) {
    if (value == null || !byKind.containsValue(value.getClass())) {
      throw at.expected("one of " + byKind.keySet(), value);
    }
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    written.put(KIND, value.getClass().getSimpleName());
    written.putAll(Shapes.ofObject(value.getClass()).write(value, at));
    return written;
  }

  @Override
  public Object read(@Nullable Object written, ValuePath at) {
    if (!(written instanceof Map<?, ?> map)) {
      throw at.expected("a map", written);
    }
    Class<?> type = map.get(KIND) instanceof String kind ? byKind.get(kind) : null;
    if (type == null) {
      throw at.component(KIND).wrong("must be one of " + byKind.keySet(), null);
    }
    Map<Object, @Nullable Object> components = new LinkedHashMap<>(map);
    components.remove(KIND);
    return Shapes.ofObject(type).read(components, at);
  }
}
