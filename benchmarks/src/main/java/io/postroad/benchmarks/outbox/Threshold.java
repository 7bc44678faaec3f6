package io.postroad.benchmarks.outbox;

import java.util.Locale;
import java.util.Optional;

/**
 * The accepted distance of a figure from the limit. A missed threshold does not fail the run,
 * because machines are noisy.
 *
 * @param ratio the lowest accepted ratio for a speed, the highest for a time
 * @param limit the limit for comparison; empty for the better one
 */
record Threshold(String figure, double ratio, Optional<String> limit) {

  Threshold(String figure, double ratio) {
    this(figure, ratio, Optional.empty());
  }

  /**
   * Returns the threshold against this limit, because only that limit has the same guarantees as
   * Postroad.
   */
  Threshold against(String label) {
    return new Threshold(figure, ratio, Optional.of(label));
  }

  boolean isAgainst(Entrant entrant) {
    return limit.isEmpty() || limit.get().equals(entrant.label());
  }

  String line(Series subject, Entrant held, Series limit) {
    Figure.Kind kind = subject.unit().kind();
    // As printed, so that a printed ratio that reaches the threshold always passes.
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
