package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.util.List;

/** Each contender beside parked keys, compared with itself without them. */
final class ParkedReport implements Report {
  private static final String RATIO = "ratio-to-unparked";
  private static final Threshold THRESHOLD = new Threshold(ParkedDrainMeasure.PARKED, 0.85);

  @Override
  public void print(Scoreboard scoreboard, PrintStream out) {
    for (Entrant entrant : scoreboard.entrants()) {
      for (String suffix : List.of("", ParkedDrainMeasure.READS)) {
        String plain = ParkedDrainMeasure.PLAIN + suffix;
        String parked = ParkedDrainMeasure.PARKED + suffix;
        scoreboard.printAgainstItself(out, entrant, plain, plain, RATIO);
        scoreboard.printAgainstItself(out, entrant, parked, plain, RATIO);
      }
    }
    scoreboard.printVerifications(out);
    for (Entrant entrant : scoreboard.entrants()) {
      scoreboard.printLine(
          out,
          THRESHOLD.line(
              scoreboard.series(entrant, ParkedDrainMeasure.PARKED),
              entrant,
              scoreboard.series(entrant, ParkedDrainMeasure.PLAIN)));
    }
  }
}
