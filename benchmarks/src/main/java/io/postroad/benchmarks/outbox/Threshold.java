package io.postroad.benchmarks.outbox;

import java.util.Locale;

/**
 * How near to the limit a figure should be. Missing it does not fail the run: machines are noisy.
 *
 * @param ratio the lowest one that passes for a speed, the highest for a time
 */
record Threshold(String figure, double ratio) {

  String line(Series subject, Series limit) {
    Figure.Kind kind = subject.unit().kind();
    // As it is printed, so that nobody misses what the line says was reached.
    double reached = Math.round(subject.ratioTo(limit) * 100) / 100.0;
    boolean passed = reached == ratio || kind.isBetter(reached / ratio);
    return String.format(
        Locale.ROOT,
        "threshold %s ratio-to-limit=%.2f %s=%.2f %s",
        figure,
        reached,
        kind == Figure.Kind.SPEED ? "at-least" : "at-most",
        ratio,
        passed ? "pass" : "MISSED <<<<<<<<<<<<<<<<<<<<");
  }
}
