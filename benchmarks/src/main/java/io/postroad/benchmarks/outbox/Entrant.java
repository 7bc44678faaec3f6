package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/** Who takes part, in the order in which they are printed. */
enum Entrant {
  POSTROAD_COMPETING("postroad-competing", false, PostroadContender::competing),
  LIMIT_QUEUE("limit-queue", false, LimitContender::queue),
  LIMIT_LOG("limit-log", true, LimitContender::log);

  /** Its figures are printed under their plain names, and it has thresholds to reach. */
  static final String SUBJECT = "postroad";

  private static final String LIMIT = "limit-";

  private final String label;
  private final boolean keepsOrder;

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method holds nothing
  private final Contender.Factory factory;

  Entrant(String label, boolean keepsOrder, Contender.Factory factory) {
    this.label = label;
    this.keepsOrder = keepsOrder;
    this.factory = factory;
  }

  String label() {
    return label;
  }

  boolean isSubject() {
    return label.equals(SUBJECT);
  }

  /** One of those that the others are compared with. */
  boolean isLimit() {
    return label.startsWith(LIMIT);
  }

  Contender enter(Arena arena) throws SQLException {
    return factory.enter(arena);
  }

  /** Whether it did what it promises: everything at least once, and some keep the order of keys. */
  boolean keptItsPromise(Verification found) {
    return found.isComplete() && (!keepsOrder || found.isInOrder());
  }

  /** The name of a figure of this entrant. */
  String nameOf(String figure) {
    return isSubject() ? figure : label + "." + figure;
  }

  /**
   * Some of them.
   *
   * @param labels separated by commas
   * @throws IllegalArgumentException when there is none of such a name
   */
  static List<Entrant> named(String labels) {
    List<String> wanted = Arrays.asList(labels.split(",", -1));
    List<Entrant> found =
        Arrays.stream(values()).filter(each -> wanted.contains(each.label)).toList();
    if (found.size() != wanted.stream().distinct().count()) {
      throw new IllegalArgumentException(
          "--contenders takes some of %s, got: %s"
              .formatted(Arrays.stream(values()).map(Entrant::label).toList(), labels));
    }
    return found;
  }
}
