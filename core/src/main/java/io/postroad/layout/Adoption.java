package io.postroad.layout;

import io.postroad.internal.layout.AdoptionReport;
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
  private final List<String> added;
  private final List<String> migration;
  private final List<String> problems;

  private Adoption(
      TableShape shape,
      Recognition recognition,
      List<String> added,
      List<String> migration,
      List<String> problems) {
    this.shape = shape;
    this.recognition = recognition;
    this.added = List.copyOf(added);
    this.migration = List.copyOf(migration);
    this.problems = List.copyOf(problems);
  }

  /**
   * What a store found.
   *
   * @param added the columns that are missing
   * @param migration the statements that add what is missing, in their order; none where nothing
   *     was recognised
   */
  public static Adoption of(
      TableShape shape, Recognition recognition, List<String> added, List<String> migration) {
    List<String> problems = recognition.problems().stream().map(Problem::toString).toList();
    return new Adoption(shape, recognition, added, migration, problems);
  }

  /** The same with what else the store cannot work with. */
  public Adoption withProblems(List<String> more) {
    List<String> all = new ArrayList<>(problems);
    all.addAll(more);
    return new Adoption(shape, recognition, added, migration, all);
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
  public List<String> problems() {
    return problems;
  }

  /** What a person should know or check. */
  public List<String> remarks() {
    return recognition.remarks();
  }

  /** All of it as plain text for a person. */
  public String report() {
    return new AdoptionReport(shape, recognition, added, migration, problems).text();
  }

  @Override
  public String toString() {
    return "adoption of %s: %s"
        .formatted(shape.describe(), isPossible() ? "possible" : "refused, " + problems);
  }
}
