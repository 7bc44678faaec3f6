package io.postroad.benchmarks.outbox;

import io.postroad.benchmarks.outbox.HeldDrainMeasure.Held;
import java.io.PrintStream;

/** Compares each contender with an open transaction to itself without one. */
final class HeldReport implements Report {
  private static final String RATIO = "ratio-to-unheld";

  @Override
  public void print(Scoreboard scoreboard, PrintStream out) {
    for (Held held : Held.values()) {
      for (Entrant entrant : scoreboard.entrants()) {
        scoreboard.printAgainstItself(out, entrant, held.measure(), Held.NOTHING.measure(), RATIO);
        scoreboard.printAgainstItself(out, entrant, held.buffers(), Held.NOTHING.buffers(), RATIO);
      }
    }
    scoreboard.printVerifications(out);
  }
}
