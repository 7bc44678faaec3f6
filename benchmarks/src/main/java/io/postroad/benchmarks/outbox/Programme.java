package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * What a run does.
 *
 * @param measures in their order, each with its size
 * @param warmUps rounds of each contender before those that count
 */
record Programme(List<Measure> measures, int warmUps) {

  static Programme quick() {
    return new Programme(
        List.of(
            new EnqueueMeasure(10, 40_000, Duration.ofSeconds(1)),
            new DrainMeasure(4, 50_000),
            new LatencyMeasure(4, Duration.ofSeconds(3)),
            new MixedMeasure(6, Duration.ofMillis(1_500))),
        1);
  }

  static Programme full() {
    return new Programme(
        List.of(
            new EnqueueMeasure(30, 60_000, Duration.ofSeconds(2)),
            new DrainMeasure(12, 100_000),
            new LatencyMeasure(10, Duration.ofSeconds(10)),
            new MixedMeasure(16, Duration.ofSeconds(4))),
        1);
  }

  /** Every measure, far too short to say anything about speed. */
  static Programme smoke() {
    return new Programme(
        List.of(
            new EnqueueMeasure(1, 0, Duration.ofMillis(200)),
            new DrainMeasure(1, 2_500),
            new LatencyMeasure(1, Duration.ofMillis(400)),
            new MixedMeasure(1, Duration.ofMillis(200))),
        0);
  }

  /**
   * Some of the measures.
   *
   * @param names separated by commas
   * @throws IllegalArgumentException when there is no measure of such a name
   */
  Programme only(String names) {
    List<String> wanted = Arrays.asList(names.split(",", -1));
    List<Measure> found =
        measures.stream().filter(measure -> wanted.contains(measure.name())).toList();
    if (found.size() != new TreeSet<>(wanted).size()) {
      throw new IllegalArgumentException(
          "--only takes some of %s, got: %s"
              .formatted(measures.stream().map(Measure::name).toList(), names));
    }
    return new Programme(found, warmUps);
  }
}
