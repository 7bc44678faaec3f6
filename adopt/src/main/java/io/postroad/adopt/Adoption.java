package io.postroad.adopt;

import io.postroad.adopt.internal.AdoptionReport;
import io.postroad.layout.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Result of an inspection of a table or collection: its layout, the migration that Postroad needs,
 * and the treatment of existing rows. Immutable.
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
   * Creates a result.
   *
   * @param added names of missing columns
   * @param migration statements that add missing columns and indexes, in their order; empty where
   *     no layout was recognised
   */
  public static Adoption of(
      TableShape shape, Recognition recognition, List<String> added, List<String> migration) {
    List<String> problems = recognition.problems().stream().map(Problem::toString).toList();
    return new Adoption(shape, recognition, added, migration, problems);
  }

  /** Returns the same with more problems. */
  public Adoption withProblems(List<String> more) {
    List<String> all = new ArrayList<>(problems);
    all.addAll(more);
    return new Adoption(shape, recognition, added, migration, all);
  }

  /** Whether a store can be opened with {@link #layout()} once the migration has run. */
  public boolean isPossible() {
    return problems.isEmpty();
  }

  /** Returns the layout; empty where none was recognised. */
  public Optional<Layout> layout() {
    return recognition.found();
  }

  /** Returns the statements that add missing columns and indexes; none of them was run. */
  public List<String> migration() {
    return migration;
  }

  /** Returns the reasons why it is not possible; empty where it is. */
  public List<String> problems() {
    return problems;
  }

  /** Returns remarks that a person should check. */
  public List<String> remarks() {
    return recognition.remarks();
  }

  /** Returns the report as plain text for a person. */
  public String report() {
    return new AdoptionReport(shape, recognition, added, migration, problems).text();
  }

  @Override
  public String toString() {
    return "adoption of %s: %s"
        .formatted(shape.describe(), isPossible() ? "possible" : "refused, " + problems);
  }
}
