package io.postroad.internal.process.check;

import io.postroad.process.Node;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the keys of a reply from the return type of a handler. Stateless. */
final class ResultKeys {
  private static final Set<String> VALUE = Set.of("value");

  private ResultKeys() {}

  /**
   * Returns the keys that every reply has: the components of a record that cannot be null, none for
   * {@code void}, {@code value} for a single value. Empty for types that do not tell: maps, beans,
   * {@code Object} and {@code Optional}.
   *
   * @param returned the return type of the handler's method
   */
  static Optional<Set<String>> of(Type returned) {
    if (!(returned instanceof Class<?> type)) {
      return isList(returned) ? Optional.of(VALUE) : Optional.empty();
    }
    if (type == void.class || type == Void.class) {
      return Optional.of(Set.of());
    }
    if (type.isRecord()) {
      return CommandFields.of(type).map(ResultKeys::required);
    }
    return isSingle(type) ? Optional.of(VALUE) : Optional.empty();
  }

  private static boolean isList(Type type) {
    return type instanceof ParameterizedType generic
        && generic.getRawType() instanceof Class<?> raw
        && Collection.class.isAssignableFrom(raw);
  }

  private static boolean isSingle(Class<?> type) {
    return type.isPrimitive()
        || type.isEnum()
        || type.isArray()
        || CharSequence.class.isAssignableFrom(type)
        || Number.class.isAssignableFrom(type)
        || Collection.class.isAssignableFrom(type)
        || type == Boolean.class;
  }

  private static Set<String> required(List<Node.Field> fields) {
    return fields.stream()
        .filter(Node.Field::isRequired)
        .map(Node.Field::name)
        .collect(Collectors.toUnmodifiableSet());
  }
}
