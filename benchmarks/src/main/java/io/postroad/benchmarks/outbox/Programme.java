package io.postroad.benchmarks.outbox;

import io.postroad.benchmarks.outbox.Measure.Rounds;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/** The measures of a run, each with its size. */
record Programme(List<Measure> measures) {

  static Programme quick() {
    return new Programme(
        List.of(
            new EnqueueMeasure(new Rounds(3, 10), Duration.ofSeconds(1)),
            new DrainMeasure(new Rounds(1, 4), 50_000),
            new LatencyMeasure(new Rounds(1, 4), Duration.ofSeconds(3)),
            new MixedMeasure(new Rounds(1, 6), Duration.ofMillis(1_500))));
  }

  static Programme full() {
    return new Programme(
        List.of(
            new EnqueueMeasure(new Rounds(4, 30), Duration.ofSeconds(2)),
            new DrainMeasure(new Rounds(2, 12), 100_000),
            new LatencyMeasure(new Rounds(1, 10), Duration.ofSeconds(10)),
            new MixedMeasure(new Rounds(1, 16), Duration.ofSeconds(4))));
  }

  /** Every measure, far too short to say anything about speed. */
  static Programme smoke() {
    Rounds once = new Rounds(0, 1);
    return new Programme(
        List.of(
            new EnqueueMeasure(once, Duration.ofMillis(200)),
            new DrainMeasure(once, 2_500),
            new LatencyMeasure(once, Duration.ofMillis(400)),
            new MixedMeasure(once, Duration.ofMillis(200))));
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
    return new Programme(found);
  }
}
