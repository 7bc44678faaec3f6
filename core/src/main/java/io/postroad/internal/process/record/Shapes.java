package io.postroad.internal.process.record;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Finds the shape of a type. Thread-safe; shapes of classes are created once. */
final class Shapes {
  private static final Map<Class<?>, Shape> SIMPLE =
      Map.ofEntries(
          Map.entry(Object.class, new AnyShape()),
          Map.entry(String.class, new PlainShape(String.class, "text")),
          Map.entry(boolean.class, new PlainShape(Boolean.class, "true or false")),
          Map.entry(Boolean.class, new PlainShape(Boolean.class, "true or false")),
          Map.entry(int.class, NumberShape.OF_INT),
          Map.entry(Integer.class, NumberShape.OF_INT),
          Map.entry(long.class, NumberShape.OF_LONG),
          Map.entry(Long.class, NumberShape.OF_LONG),
          Map.entry(double.class, NumberShape.OF_DOUBLE),
          Map.entry(Double.class, NumberShape.OF_DOUBLE),
          Map.entry(
              BigDecimal.class, new TextShape(BigDecimal.class, "a decimal", BigDecimal::new)),
          Map.entry(
              BigInteger.class, new TextShape(BigInteger.class, "an integer", BigInteger::new)),
          Map.entry(UUID.class, new TextShape(UUID.class, "a UUID", UUID::fromString)),
          Map.entry(
              Instant.class,
              new TextShape(Instant.class, "an instant like 2026-11-16T08:00:00Z", Instant::parse)),
          Map.entry(
              Duration.class,
              new TextShape(Duration.class, "a duration like PT30S", Duration::parse)));

  private static final ClassValue<Shape> OF_CLASS =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return made(type);
        }
      };

  private Shapes() {}

  static Shape of(Class<?> type) {
    return OF_CLASS.get(type);
  }

  /** Returns the shape of a record or of a sealed interface of records. */
  static ObjectShape ofObject(Class<?> type) {
    if (of(type) instanceof ObjectShape shape) {
      return shape;
    }
    throw unknown(type);
  }

  /**
   * Returns the shape of a type with its parameters.
   *
   * @throws IllegalArgumentException when there is none
   */
  static Shape of(Type type) {
    if (type instanceof Class<?> known) {
      return of(known);
    }
    if (type instanceof WildcardType wildcard) {
      return of(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof ParameterizedType generic) {
      return ofGeneric(generic, generic.getActualTypeArguments());
    }
    throw unknown(type);
  }

  private static Shape ofGeneric(ParameterizedType type, Type[] arguments) {
    if (type.getRawType() == List.class) {
      return ListShape.list(of(arguments[0]));
    }
    if (type.getRawType() == Set.class) {
      return ListShape.set(of(arguments[0]));
    }
    if (type.getRawType() == Map.class) {
      return new MapShape(of(arguments[0]), of(arguments[1]));
    }
    throw unknown(type);
  }

  private static Shape made(Class<?> type) {
    Shape simple = SIMPLE.get(type);
    if (simple != null) {
      return simple;
    }
    if (type.isEnum()) {
      return TextShape.ofEnum(type);
    }
    if (type.isRecord()) {
      return new RecordShape(type);
    }
    if (type.isInterface() && type.isSealed()) {
      return new SealedShape(type);
    }
    throw unknown(type);
  }

  private static IllegalArgumentException unknown(Type type) {
    return new IllegalArgumentException(
        "%s cannot be written as data; RecordMaps lists what can".formatted(type.getTypeName()));
  }
}
