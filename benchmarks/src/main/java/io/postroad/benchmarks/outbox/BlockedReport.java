package io.postroad.benchmarks.outbox;

import java.io.PrintStream;
import java.util.List;

/** Compares each contender with blocked keys to itself without them. */
final class BlockedReport implements Report {
  private static final String RATIO = "ratio-to-unparked";
  private static final Threshold THRESHOLD = new Threshold(BlockedDrainMeasure.BLOCKED, 0.85);

  @Override
  public void print(Scoreboard scoreboard, PrintStream out) {
    for (Entrant entrant : scoreboard.entrants()) {
      for (String suffix : List.of("", BlockedDrainMeasure.READS)) {
        String plain = BlockedDrainMeasure.PLAIN + suffix;
        String blocked = BlockedDrainMeasure.BLOCKED + suffix;
        scoreboard.printAgainstItself(out, entrant, plain, plain, RATIO);
        scoreboard.printAgainstItself(out, entrant, blocked, plain, RATIO);
      }
    }
    scoreboard.printVerifications(out);
    for (Entrant entrant : scoreboard.entrants()) {
      scoreboard.printLine(
          out,
          THRESHOLD.line(
              scoreboard.series(entrant, BlockedDrainMeasure.BLOCKED),
              entrant,
              scoreboard.series(entrant, BlockedDrainMeasure.PLAIN)));
    }
  }
}
