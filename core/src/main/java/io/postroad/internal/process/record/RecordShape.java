package io.postroad.internal.process.record;

import io.postroad.internal.process.check.CommandFields;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A record. Its components are looked up when it is first used, since it may contain itself. */
final class RecordShape implements ObjectShape {
  private final Class<?> type;
  private volatile @Nullable Makeup makeup;

  RecordShape(Class<?> type) {
    this.type = type;
  }

  @Override
  public Map<String, @Nullable Object> write(@Nullable Object value, ValuePath at) {
    if (!type.isInstance(value)) {
      throw at.expected(type.getSimpleName(), value);
    }
    Map<String, @Nullable Object> written = new LinkedHashMap<>();
    for (Component part : makeup().components()) {
      part.write(value, at, written);
    }
    return written;
  }

  @Override
  public Object read(@Nullable Object written, ValuePath at) {
    if (!(written instanceof Map<?, ?> map)) {
      throw at.expected("a map", written);
    }
    Makeup known = makeup();
    refuseUnknown(map, known, at);
    @Nullable Object[] values = new @Nullable Object[known.components().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = known.components().get(i).read(map, at);
    }
    return made(known.constructor(), values, at);
  }

  private static void refuseUnknown(Map<?, ?> map, Makeup known, ValuePath at) {
    for (Object key : map.keySet()) {
      if (!known.names().contains(key)) {
        throw at.wrong("has an unknown key '%s'; known: %s".formatted(key, known.names()), null);
      }
    }
  }

  private static Object made(Constructor<?> constructor, @Nullable Object[] values, ValuePath at) {
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException refused) {
      throw at.wrong("is refused by its constructor", refused.getCause());
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException("records can be made", impossible);
    }
  }

  private Makeup makeup() {
    Makeup known = makeup;
    if (known == null) {
      known = Makeup.of(type);
      makeup = known;
    }
    return known;
  }

  /** The constructor and the components of a record. */
  private record Makeup(Constructor<?> constructor, List<Component> components, Set<String> names) {
    static Makeup of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      try {
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        List<Component> known = Arrays.stream(components).map(Component::of).toList();
        Set<String> names = new LinkedHashSet<>();
        known.forEach(component -> names.add(component.name()));
        return new Makeup(constructor, known, names);
      } catch (NoSuchMethodException impossible) {
        throw new IllegalStateException("a record has its canonical constructor", impossible);
      }
    }
  }

  /**
   * A component.
   *
   * @param isOptional it is an {@code Optional} of that shape
   * @param isRequired it has a key
   * @param empty the value without a key, in a {@link Sparse} record
   */
  private record Component(
      String name,
      Method accessor,
      Shape shape,
      boolean isOptional,
      boolean isRequired,
      Optional<Object> empty) {

    static Component of(RecordComponent component) {
      component.getAccessor().setAccessible(true);
      boolean isOptional = component.getType() == Optional.class;
      return new Component(
          component.getName(),
          component.getAccessor(),
          shape(component, isOptional),
          isOptional,
          CommandFields.isRequired(component),
          empty(component));
    }

    private static Optional<Object> empty(RecordComponent component) {
      Class<?> type = component.getType();
      if (!component.getDeclaringRecord().isAnnotationPresent(Sparse.class)) {
        return Optional.empty();
      }
      return type == List.class
          ? Optional.of(List.of())
          : type == Set.class
              ? Optional.of(Set.of())
              : type == Map.class ? Optional.of(Map.of()) : Optional.empty();
    }

    private static Shape shape(RecordComponent component, boolean isOptional) {
      Type type = component.getGenericType();
      try {
        return Shapes.of(
            isOptional ? ((ParameterizedType) type).getActualTypeArguments()[0] : type);
      } catch (IllegalArgumentException unknown) {
        throw new IllegalArgumentException(
            "component '%s' of %s: %s"
                .formatted(
                    component.getName(),
                    component.getDeclaringRecord().getName(),
                    unknown.getMessage()),
            unknown);
      }
    }

    void write(Object owner, ValuePath at, Map<String, @Nullable Object> written) {
      @Nullable Object value = value(owner);
      if (isOptional) {
        value = ((Optional<?>) Objects.requireNonNull(value, name)).orElse(null);
      }
      if (empty.isPresent() && isEmpty(value)) {
        return;
      }
      if (isRequired || value != null) {
        written.put(name, shape.write(value, at.component(name)));
      }
    }

    private static boolean isEmpty(@Nullable Object value) {
      return value instanceof Collection<?> list
          ? list.isEmpty()
          : value instanceof Map<?, ?> map && map.isEmpty();
    }

    private @Nullable Object value(Object owner) {
      try {
        return accessor.invoke(owner);
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException("components can be read", impossible);
      }
    }

    @Nullable Object read(Map<?, ?> map, ValuePath at) {
      if (!isRequired && map.get(name) == null) {
        return isOptional ? Optional.empty() : null;
      }
      if (!map.containsKey(name)) {
        if (empty.isPresent()) {
          return empty.get();
        }
        throw at.component(name).wrong("is missing", null);
      }
      @Nullable Object value = shape.read(map.get(name), at.component(name));
      return isOptional ? Optional.ofNullable(value) : value;
    }
  }
}
