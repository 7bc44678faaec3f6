package io.postroad.benchmarks.outbox;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A participant.
 *
 * @param label the printed name; those of limits begin with {@code limit-}
 * @param keepsOrder whether it guarantees the order of each key
 * @param onlyIn the measures in which it takes part; empty for all
 */
record Entrant(String label, boolean keepsOrder, Set<String> onlyIn) {
  /** The entrant with figures under their plain names, and with thresholds. */
  static final String SUBJECT = "postroad";

  private static final String LIMIT = "limit-";

  Entrant(String label, boolean keepsOrder) {
    this(label, keepsOrder, Set.of());
  }

  /** Returns the entrant for one measure only. */
  Entrant onlyIn(String measure) {
    return new Entrant(label, keepsOrder, Set.of(measure));
  }

  boolean takesPartIn(Measure measure) {
    return onlyIn.isEmpty() || onlyIn.contains(measure.name());
  }

  /**
   * Returns some of {@code all}.
   *
   * @param labels separated by commas
   * @throws IllegalArgumentException if a name is unknown
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

  /** Returns whether other entrants are compared with this one. */
  boolean isLimit() {
    return label.startsWith(LIMIT);
  }

  /** Returns the name of a figure of this entrant. */
  String nameOf(String figure) {
    return isSubject() ? figure : label + "." + figure;
  }

  /**
   * Returns whether the entrant kept its guarantees: every event at least once, and the order of
   * keys if guaranteed.
   */
  boolean keptItsPromise(Verification found) {
    return found.isComplete() && (!keepsOrder || found.isInOrder());
  }
}
