package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Prints every figure with its ratio to the better of the limits, then the thresholds of Postroad.
 */
final class LimitReport implements Report {
  private final List<Threshold> thresholds;

  LimitReport(List<Threshold> thresholds) {
    this.thresholds = thresholds;
  }

  @Override
  public void print(Scoreboard scoreboard, PrintStream out) {
    for (String figure : scoreboard.figures()) {
      Optional<Entrant> limit = betterLimit(scoreboard, figure, any -> true);
      for (Entrant entrant : scoreboard.entrants(figure)) {
        Series series = scoreboard.series(entrant, figure);
        scoreboard.printLine(
            out,
            "%s %s%s"
                .formatted(
                    entrant.nameOf(figure),
                    series.unit().print(series.median()),
                    limit.map(best -> ratio(scoreboard, figure, entrant, best)).orElse("")));
      }
    }
    scoreboard.printVerifications(out);
    printThresholds(scoreboard, out);
  }

  private static String ratio(
      Scoreboard scoreboard, String figure, Entrant entrant, Entrant limit) {
    return String.format(
        Locale.ROOT,
        " ratio-to-limit=%.2f limit=%s",
        scoreboard.series(entrant, figure).ratioTo(scoreboard.series(limit, figure)),
        limit.label());
  }

  /** Returns the better limit; empty for costs, which are near zero for some entrants. */
  private static Optional<Entrant> betterLimit(
      Scoreboard scoreboard, String figure, Predicate<Entrant> among) {
    return scoreboard.entrants(figure).stream()
        .filter(Entrant::isLimit)
        .filter(among)
        .filter(each -> scoreboard.series(each, figure).unit().kind() != Figure.Kind.COST)
        .reduce(
            (one, other) ->
                scoreboard.series(other, figure).isBetterThan(scoreboard.series(one, figure))
                    ? other
                    : one);
  }

  private void printThresholds(Scoreboard scoreboard, PrintStream out) {
    for (Entrant subject : scoreboard.entrants().stream().filter(Entrant::isSubject).toList()) {
      for (Threshold threshold : thresholds) {
        if (scoreboard.figures().contains(threshold.figure())) {
          betterLimit(scoreboard, threshold.figure(), threshold::isAgainst)
              .map(limit -> line(scoreboard, threshold, subject, limit))
              .ifPresent(line -> scoreboard.printLine(out, line));
        }
      }
    }
  }

  private static String line(
      Scoreboard scoreboard, Threshold threshold, Entrant subject, Entrant limit) {
    return threshold.line(
        scoreboard.series(subject, threshold.figure()),
        limit,
        scoreboard.series(limit, threshold.figure()));
  }
}
