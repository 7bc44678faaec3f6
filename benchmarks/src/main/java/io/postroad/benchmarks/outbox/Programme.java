package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The measures of a run.
 *
 * @param groups measures in their order; those of a group are compared with each other, so a
 *     contender runs them one after the other
 * @param warmUps rounds of each contender before the measured ones, in the first measure of a
 *     group; two, because code compiled for one contender is discarded when the next one runs
 * @param report prints the figures
 */
record Programme(List<List<Measure>> groups, int warmUps, Report report) {

  static Programme quick(BenchStore store) {
    return against(
        store,
        2,
        new EnqueueMeasure(8, store.events(50_000), store.events(12_000), Duration.ofMillis(1_500)),
        new DrainMeasure(4, store.events(150_000), store.events(50_000)),
        new LatencyMeasure(4, 2_500, Duration.ofMillis(1_500)),
        new MixedMeasure(4, Duration.ofMillis(1_500)),
        new HotKeyMeasure(4, 800, Duration.ofMillis(800)));
  }

  static Programme full(BenchStore store) {
    return against(
        store,
        2,
        new EnqueueMeasure(24, store.events(60_000), store.events(12_000), Duration.ofSeconds(2)),
        new DrainMeasure(12, store.events(300_000), store.events(100_000)),
        new LatencyMeasure(10, 10_000, Duration.ofSeconds(10)),
        new MixedMeasure(16, Duration.ofSeconds(4)),
        new HotKeyMeasure(10, 8_000, Duration.ofSeconds(2)));
  }

  /** Returns every measure, much too short for valid figures. */
  static Programme smoke(BenchStore store) {
    return against(
        store,
        0,
        new EnqueueMeasure(1, 0, 80, Duration.ofMillis(200)),
        new DrainMeasure(1, 0, 2_500),
        new LatencyMeasure(1, 0, Duration.ofMillis(400)),
        new MixedMeasure(1, Duration.ofMillis(200)),
        new HotKeyMeasure(1, 0, Duration.ofMillis(200)));
  }

  private static Programme against(BenchStore store, int warmUps, Measure... measures) {
    return new Programme(
        Stream.of(measures).filter(store::has).map(List::of).toList(),
        warmUps,
        new LimitReport(store.thresholds()));
  }

  static Programme heldQuick() {
    return held(4, 50_000, 1);
  }

  static Programme heldFull() {
    return held(4, 200_000, 1);
  }

  static Programme heldSmoke() {
    return held(1, 2_500, 0);
  }

  private static Programme held(int rounds, int backlog, int warmUps) {
    List<Measure> group =
        Arrays.stream(HeldDrainMeasure.Held.values())
            .<Measure>map(held -> new HeldDrainMeasure(rounds, backlog, held))
            .toList();
    return new Programme(List.of(group), warmUps, new HeldReport());
  }

  /** Returns a short run with few keys; blocking 10,000 keys takes minutes. */
  static Programme blockedQuick(BenchStore store) {
    return blocked(4, store.events(40_000), 1_000, 100, 1);
  }

  static Programme blockedFull(BenchStore store) {
    return blocked(6, store.events(100_000), 10_000, 100, 1);
  }

  static Programme blockedSmoke() {
    return blocked(1, 2_500, 10, 5, 0);
  }

  private static Programme blocked(int rounds, int backlog, int keys, int each, int warmUps) {
    return new Programme(
        List.of(
            List.of(
                new BlockedDrainMeasure(rounds, backlog, 0, 0),
                new BlockedDrainMeasure(rounds, backlog, keys, each))),
        warmUps,
        new BlockedReport());
  }

  /**
   * Returns some of the measures.
   *
   * @param names separated by commas
   * @throws IllegalArgumentException if a name is unknown
   */
  Programme only(String names) {
    List<String> wanted = Arrays.asList(names.split(",", -1));
    List<Measure> all = groups.stream().flatMap(List::stream).toList();
    List<Measure> found = all.stream().filter(each -> wanted.contains(each.name())).toList();
    if (found.size() != new TreeSet<>(wanted).size()) {
      throw new IllegalArgumentException(
          "--only takes some of %s, got: %s"
              .formatted(all.stream().map(Measure::name).toList(), names));
    }
    return new Programme(found.stream().map(List::of).toList(), warmUps, report);
  }
}
