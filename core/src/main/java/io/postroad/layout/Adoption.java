package io.postroad.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What it takes to run Postroad on a table or collection that is there: the layout, the migration,
 * and what becomes of the rows. Immutable; looking changes nothing.
 */
public final class Adoption {
  private final TableShape shape;
  private final Recognition recognition;
  private final List<String> migration;
  private final List<Problem> problems;

  private Adoption(
      TableShape shape, Recognition recognition, List<String> migration, List<Problem> problems) {
    this.shape = shape;
    this.recognition = recognition;
    this.migration = List.copyOf(migration);
    this.problems = List.copyOf(problems);
  }

  /**
   * What a store found.
   *
   * @param migration the statements that add what is missing, in their order; none where nothing
   *     was recognised
   */
  public static Adoption of(TableShape shape, Recognition recognition, List<String> migration) {
    return new Adoption(shape, recognition, migration, recognition.problems());
  }

  /** The same with what else the store cannot work with. */
  public Adoption withProblems(List<Problem> more) {
    List<Problem> all = new ArrayList<>(problems);
    all.addAll(more);
    return new Adoption(shape, recognition, migration, all);
  }

  /** Whether a store can be opened with {@link #layout()} once the migration has run. */
  public boolean isPossible() {
    return problems.isEmpty();
  }

  /** The layout; empty where nothing was recognised. */
  public Optional<Layout> layout() {
    return recognition.found();
  }

  /** The statements that add what is missing; none of them was run. */
  public List<String> migration() {
    return migration;
  }

  /** Why it is not possible; empty where it is. */
  public List<Problem> problems() {
    return problems;
  }

  /** What a person should know or check. */
  public List<String> remarks() {
    return recognition.remarks();
  }

  /** All of it as plain text for a person. */
  public String report() {
    return new AdoptionReport(shape, recognition, migration, problems).text();
  }

  @Override
  public String toString() {
    return "adoption of %s: %s"
        .formatted(shape.describe(), isPossible() ? "possible" : "refused, " + problems);
  }
}
