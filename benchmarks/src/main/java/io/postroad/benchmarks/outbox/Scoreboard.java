package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Keeps the figures of all rounds and prints them, one line each. */
final class Scoreboard {
  /** Its figures are printed under their plain names. */
  static final String SUBJECT = "postroad";

  static final String YARDSTICK = "limit";

  private final String store;
  private final List<String> contenders;
  private final Map<String, Map<String, Series>> byFigure = new LinkedHashMap<>();
  private final Map<String, Verification> verified = new LinkedHashMap<>();

  /**
   * A board without figures.
   *
   * @param store the database, as it is named in every line
   * @param contenders in the order in which they are printed
   */
  Scoreboard(String store, List<String> contenders) {
    this.store = store;
    this.contenders = contenders;
  }

  void add(String contender, List<Figure> figures) {
    for (Figure figure : figures) {
      byFigure
          .computeIfAbsent(figure.name(), name -> new LinkedHashMap<>())
          .computeIfAbsent(contender, name -> new Series(figure.unit()))
          .add(figure.value());
    }
  }

  void add(String contender, Verification verification) {
    verified.merge(contender, verification, Verification::plus);
  }

  /** What was found about all contenders together. */
  Verification verification() {
    return verified.values().stream().reduce(Verification.NOTHING, Verification::plus);
  }

  void print(PrintStream out) {
    byFigure.forEach((figure, series) -> printFigure(out, figure, series));
    for (String contender : contenders) {
      Verification found = verified.getOrDefault(contender, Verification.NOTHING);
      out.printf(
          "bench outbox %s verify lost=%d duplicated=%d out-of-order=%d contender=%s%n",
          store, found.lost(), found.duplicated(), found.outOfOrder(), contender);
    }
  }

  private void printFigure(PrintStream out, String figure, Map<String, Series> byContender) {
    Series yardstick = seriesOf(YARDSTICK, figure, byContender);
    for (String contender : contenders) {
      Series series = seriesOf(contender, figure, byContender);
      out.printf(
          Locale.ROOT,
          "bench outbox %s %s %s ratio-to-limit=%.2f%n",
          store,
          contender.equals(SUBJECT) ? figure : contender + "." + figure,
          series.unit().print(series.median()),
          series.ratioTo(yardstick));
    }
  }

  private static Series seriesOf(String contender, String figure, Map<String, Series> byContender) {
    Series series = byContender.get(contender);
    if (series == null) {
      throw new IllegalStateException(
          "no round of %s gave a figure %s".formatted(contender, figure));
    }
    return series;
  }
}
