package io.postroad.process;

import io.postroad.internal.process.check.CommandFields;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the data has that a process is started with. Immutable.
 *
 * @param required what no start may lack
 * @param optional what a start may bring
 */
public record StartData(Set<String> required, Set<String> optional) {
  public StartData {
    required = Collections.unmodifiableSet(new LinkedHashSet<>(required));
    optional = Collections.unmodifiableSet(new LinkedHashSet<>(optional));
  }

  /**
   * The components of a record; an {@code Optional} or {@code Nullable} one may be missing. The
   * class is read for its names only: data is given as a map all the same.
   */
  public static StartData of(Class<? extends Record> type) {
    List<Node.Field> fields = CommandFields.of(type).orElseThrow();
    Set<String> required = new LinkedHashSet<>();
    Set<String> optional = new LinkedHashSet<>();
    fields.forEach(field -> (field.isRequired() ? required : optional).add(field.name()));
    return new StartData(required, optional);
  }

  /** These keys, all of them required. */
  public static StartData keys(String... keys) {
    return new StartData(new LinkedHashSet<>(Arrays.asList(keys)), Set.of());
  }

  /** The required keys that this data lacks, in the order of their declaration. */
  public List<String> missingIn(Map<String, ?> data) {
    return required.stream().filter(key -> data.get(key) == null).toList();
  }
}
