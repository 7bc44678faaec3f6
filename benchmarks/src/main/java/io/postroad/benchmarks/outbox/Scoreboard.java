package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Keeps the figures of all rounds, and what the verifying consumers found. */
final class Scoreboard {
  private final String store;
  private final List<Entrant> entrants;
  private final Map<String, Map<Entrant, Series>> byFigure = new LinkedHashMap<>();
  private final Map<String, Map<Entrant, Verification>> byMeasure = new LinkedHashMap<>();

  /**
   * A board without figures.
   *
   * @param store the database, as it is named in every line
   * @param entrants in the order in which they are printed
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

  /** Those who have this figure. */
  List<Entrant> entrants(String figure) {
    Set<Entrant> having = byFigure.getOrDefault(figure, Map.of()).keySet();
    return entrants.stream().filter(having::contains).toList();
  }

  /** The names of the figures there are, in the order in which they came. */
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

  /** What was found about this contender in all measures together. */
  Verification verification(Entrant entrant) {
    return byMeasure.values().stream()
        .map(found -> found.getOrDefault(entrant, Verification.NOTHING))
        .reduce(Verification.NOTHING, Verification::plus);
  }

  /** Those that lost events, or order that they promise to keep. */
  List<Entrant> brokenPromises() {
    return entrants.stream().filter(each -> !each.keptItsPromise(verification(each))).toList();
  }

  /** A line of its own for a figure. */
  void printLine(PrintStream out, String text) {
    out.printf("bench outbox %s %s%n", store, text);
  }

  /** A contender's figure, and its ratio to another figure of its own. */
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

  /** For every measure and contender, then for every contender over all measures. */
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
