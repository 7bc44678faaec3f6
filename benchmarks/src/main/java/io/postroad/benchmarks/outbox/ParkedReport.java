package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Each contender beside parked keys, compared with itself without them. */
final class ParkedReport implements Report {
  private static final Threshold THRESHOLD = new Threshold(ParkedDrainMeasure.PARKED, 0.85);

  @Override
  public void print(Scoreboard scoreboard, PrintStream out) {
    for (Entrant entrant : scoreboard.entrants()) {
      for (String suffix : List.of("", ParkedDrainMeasure.READS)) {
        print(scoreboard, out, entrant, ParkedDrainMeasure.PLAIN + suffix, suffix);
        print(scoreboard, out, entrant, ParkedDrainMeasure.PARKED + suffix, suffix);
      }
    }
    scoreboard.printVerifications(out);
    for (Entrant entrant : scoreboard.entrants()) {
      scoreboard.printLine(
          out,
          THRESHOLD.line(
              scoreboard.series(entrant, ParkedDrainMeasure.PARKED),
              scoreboard.series(entrant, ParkedDrainMeasure.PLAIN)));
    }
  }

  private static void print(
      Scoreboard scoreboard, PrintStream out, Entrant entrant, String figure, String suffix) {
    Series series = scoreboard.series(entrant, figure);
    Series plain = scoreboard.series(entrant, ParkedDrainMeasure.PLAIN + suffix);
    scoreboard.printLine(
        out,
        String.format(
            Locale.ROOT,
            "%s %s ratio-to-unparked=%.2f",
            entrant.nameOf(figure),
            series.unit().print(series.median()),
            series.ratioTo(plain)));
  }
}
