package io.postroad.benchmarks.outbox;

import io.postroad.benchmarks.outbox.HeldDrainMeasure.Held;
import java.io.PrintStream;
import java.util.Locale;

/** Each contender with a transaction held open, compared with itself without one. */
final class HeldReport implements Report {

  @Override
  public void print(Scoreboard scoreboard, PrintStream out) {
    for (Held held : Held.values()) {
      for (Entrant entrant : scoreboard.entrants()) {
        print(scoreboard, out, entrant, held.measure(), Held.NOTHING.measure());
        print(scoreboard, out, entrant, held.buffers(), Held.NOTHING.buffers());
      }
    }
    scoreboard.printVerifications(out);
  }

  private static void print(
      Scoreboard scoreboard, PrintStream out, Entrant entrant, String figure, String unheld) {
    Series series = scoreboard.series(entrant, figure);
    scoreboard.printLine(
        out,
        String.format(
            Locale.ROOT,
            "%s %s ratio-to-unheld=%.2f",
            entrant.nameOf(figure),
            series.unit().print(series.median()),
            series.ratioTo(scoreboard.series(entrant, unheld))));
  }
}
