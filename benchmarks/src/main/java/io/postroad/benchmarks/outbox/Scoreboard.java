package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Collects the figures of all rounds, and the results of the verifying consumers. */
final class Scoreboard {
  private final String store;
  private final List<Entrant> entrants;
  private final Map<String, Map<Entrant, Series>> byFigure = new LinkedHashMap<>();
  private final Map<String, Map<Entrant, Verification>> byMeasure = new LinkedHashMap<>();

  /**
   * Creates an empty scoreboard.
   *
   * @param store the name of the database in every line
   * @param entrants in the order of printing
   */
  Scoreboard(String store, List<Entrant> entrants) {
    this.store = store;
    this.entrants = entrants;
  }

  void add(Entrant entrant, List<Figure> figures) {
    for (Figure figure : figures) {
      byFigure
          .computeIfAbsent(figure.name(), name -> new LinkedHashMap<>())
          .computeIfAbsent(entrant, name -> new Series(figure.unit()))
          .add(figure.value());
    }
  }

  void add(Entrant entrant, String measure, Verification verification) {
    byMeasure
        .computeIfAbsent(measure, name -> new LinkedHashMap<>())
        .merge(entrant, verification, Verification::plus);
  }

  List<Entrant> entrants() {
    return entrants;
  }

  /** Returns the entrants with this figure. */
  List<Entrant> entrants(String figure) {
    Set<Entrant> having = byFigure.getOrDefault(figure, Map.of()).keySet();
    return entrants.stream().filter(having::contains).toList();
  }

  /** Returns the names of the figures, in the order of their arrival. */
  Set<String> figures() {
    return byFigure.keySet();
  }

  Series series(Entrant entrant, String figure) {
    Series series = byFigure.getOrDefault(figure, Map.of()).get(entrant);
    if (series == null) {
      throw new IllegalStateException(
          "no round of %s gave a figure %s".formatted(entrant.label(), figure));
    }
    return series;
  }

  /** Returns the combined verification of all measures of an entrant. */
  Verification verification(Entrant entrant) {
    return byMeasure.values().stream()
        .map(found -> found.getOrDefault(entrant, Verification.NOTHING))
        .reduce(Verification.NOTHING, Verification::plus);
  }

  /** Returns the entrants that lost events, or the order that they guarantee. */
  List<Entrant> brokenPromises() {
    return entrants.stream().filter(each -> !each.keptItsPromise(verification(each))).toList();
  }

  /** Prints a line. */
  void printLine(PrintStream out, String text) {
    out.printf("bench outbox %s %s%n", store, text);
  }

  /** Prints a contender's figure, and its ratio to another figure of the same contender. */
  void printAgainstItself(
      PrintStream out, Entrant entrant, String figure, String base, String ratioName) {
    Series series = series(entrant, figure);
    printLine(
        out,
        String.format(
            Locale.ROOT,
            "%s %s %s=%.2f",
            entrant.nameOf(figure),
            series.unit().print(series.median()),
            ratioName,
            series.ratioTo(series(entrant, base))));
  }

  /** Prints the verifications per measure and contender, then per contender. */
  void printVerifications(PrintStream out) {
    byMeasure.forEach(
        (measure, found) ->
            found.forEach((entrant, each) -> printLine(out, line(each, entrant, measure))));
    for (Entrant entrant : entrants) {
      printLine(out, line(verification(entrant), entrant, "all"));
    }
  }

  private static String line(Verification found, Entrant entrant, String measure) {
    return "verify lost=%d duplicated=%d out-of-order=%d keys-out-of-order=%d contender=%s measure=%s"
        .formatted(
            found.lost(),
            found.duplicated(),
            found.outOfOrder(),
            found.keysOutOfOrder(),
            entrant.label(),
            measure);
  }
}
