package io.postroad.benchmarks.outbox;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Somebody who takes part.
 *
 * @param label as it is printed; those of the limits begin with {@code limit-}
 * @param keepsOrder whether it promises the order of each key
 * @param onlyIn the measures that it takes part in; empty for all
 */
record Entrant(String label, boolean keepsOrder, Set<String> onlyIn) {
  /** Its figures are printed under their plain names, and it has thresholds to reach. */
  static final String SUBJECT = "postroad";

  private static final String LIMIT = "limit-";

  Entrant(String label, boolean keepsOrder) {
    this(label, keepsOrder, Set.of());
  }

  /** The same, for those who are there to show something in one measure. */
  Entrant onlyIn(String measure) {
    return new Entrant(label, keepsOrder, Set.of(measure));
  }

  boolean takesPartIn(Measure measure) {
    return onlyIn.isEmpty() || onlyIn.contains(measure.name());
  }

  /**
   * Some of {@code all}.
   *
   * @param labels separated by commas
   * @throws IllegalArgumentException when there is none of such a name
   */
  static List<Entrant> named(String labels, List<Entrant> all) {
    List<String> wanted = Arrays.asList(labels.split(",", -1));
    List<Entrant> found = all.stream().filter(each -> wanted.contains(each.label)).toList();
    if (found.size() != wanted.stream().distinct().count()) {
      throw new IllegalArgumentException(
          "--contenders takes some of %s, got: %s"
              .formatted(all.stream().map(Entrant::label).toList(), labels));
    }
    return found;
  }

  boolean isSubject() {
    return label.equals(SUBJECT);
  }

  /** One of those that the others are compared with. */
  boolean isLimit() {
    return label.startsWith(LIMIT);
  }

  /** The name of a figure of this entrant. */
  String nameOf(String figure) {
    return isSubject() ? figure : label + "." + figure;
  }

  /** Whether it did what it promises: everything at least once, and some keep the order of keys. */
  boolean keptItsPromise(Verification found) {
    return found.isComplete() && (!keepsOrder || found.isInOrder());
  }
}
