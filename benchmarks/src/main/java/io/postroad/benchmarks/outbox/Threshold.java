package io.postroad.benchmarks.outbox;

import java.util.Locale;
import java.util.Optional;

/**
 * How near to the limit a figure should be. Missing it does not fail the run: machines are noisy.
 *
 * @param ratio the lowest one that passes for a speed, the highest for a time
 * @param limit whom it is held against; empty for the better one
 */
record Threshold(String figure, double ratio, Optional<String> limit) {

  Threshold(String figure, double ratio) {
    this(figure, ratio, Optional.empty());
  }

  /** Held against this limit, because it alone promises what Postroad promises. */
  Threshold against(String label) {
    return new Threshold(figure, ratio, Optional.of(label));
  }

  boolean isAgainst(Entrant entrant) {
    return limit.isEmpty() || limit.get().equals(entrant.label());
  }

  String line(Series subject, Entrant held, Series limit) {
    Figure.Kind kind = subject.unit().kind();
    // As it is printed, so that nobody misses what the line says was reached.
    double reached = Math.round(subject.ratioTo(limit) * 100) / 100.0;
    boolean passed = reached == ratio || kind.isBetter(reached / ratio);
    return String.format(
        Locale.ROOT,
        "threshold %s ratio-to-limit=%.2f limit=%s %s=%.2f %s",
        figure,
        reached,
        held.label(),
        kind == Figure.Kind.SPEED ? "at-least" : "at-most",
        ratio,
        passed ? "pass" : "MISSED <<<<<<<<<<<<<<<<<<<<");
  }
}
