package io.postroad.internal.process.check;

import io.postroad.process.Node;
import java.lang.annotation.Annotation;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the fields of a class of commands or data. Stateless. */
public final class CommandFields {
  private static final Set<Class<?>> OPTIONAL =
      Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

  private CommandFields() {}

  /**
   * Returns the components of a record, in order; empty for another class, which takes all data. An
   * {@code Optional} or {@code Nullable} component is not required.
   */
  public static Optional<List<Node.Field>> of(Class<?> type) {
    return Optional.ofNullable(type.getRecordComponents())
        .map(components -> Arrays.stream(components).map(CommandFields::field).toList());
  }

  private static Node.Field field(RecordComponent component) {
    return new Node.Field(component.getName(), isRequired(component));
  }

  public static boolean isRequired(RecordComponent component) {
    Stream<Annotation> annotations =
        Stream.of(
                component.getAnnotations(),
                component.getAnnotatedType().getAnnotations(),
                component.getAccessor().getAnnotations())
            .flatMap(Arrays::stream);
    return !OPTIONAL.contains(component.getType())
        && annotations.noneMatch(each -> each.annotationType().getSimpleName().equals("Nullable"));
  }
}
