package io.postroad.process;

import io.postroad.internal.process.check.CommandFields;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The keys of the data that a process is started with. Immutable.
 *
 * @param required keys that every start must have
 * @param optional keys that a start may have
 */
public record StartData(Set<String> required, Set<String> optional) {
  public StartData {
    required = Collections.unmodifiableSet(new LinkedHashSet<>(required));
    optional = Collections.unmodifiableSet(new LinkedHashSet<>(optional));
  }

  /**
   * Declares the components of a record as keys; an {@code Optional} or {@code Nullable} one may be
   * missing. Only the names are used: callers still pass a map.
   */
  public static StartData of(Class<? extends Record> type) {
    List<Node.Field> fields = CommandFields.of(type).orElseThrow();
    Set<String> required = new LinkedHashSet<>();
    Set<String> optional = new LinkedHashSet<>();
    fields.forEach(field -> (field.isRequired() ? required : optional).add(field.name()));
    return new StartData(required, optional);
  }

  /** Declares these keys as required. */
  public static StartData keys(String... keys) {
    return new StartData(new LinkedHashSet<>(Arrays.asList(keys)), Set.of());
  }

  /** Returns the required keys that this data lacks, in the order of their declaration. */
  public List<String> missingIn(Map<String, ?> data) {
    return required.stream().filter(key -> data.get(key) == null).toList();
  }
}
