package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a run does.
 *
 * @param groups measures in their order, each with its size; those of a group are compared with
 *     each other, so a contender does them one after the other
 * @param warmUps rounds of each contender before those that count, in the first measure of a group;
 *     two, because code compiled for one contender is thrown away when the next one runs through it
 * @param report how the figures are printed
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

  /** Every measure, far too short to say anything about speed. */
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

  /** Few keys, for a short run; 10,000 take minutes to park. */
  static Programme parkedQuick(BenchStore store) {
    return parked(4, store.events(40_000), 1_000, 100, 1);
  }

  static Programme parkedFull(BenchStore store) {
    return parked(6, store.events(100_000), 10_000, 100, 1);
  }

  static Programme parkedSmoke() {
    return parked(1, 2_500, 10, 5, 0);
  }

  private static Programme parked(int rounds, int backlog, int keys, int each, int warmUps) {
    return new Programme(
        List.of(
            List.of(
                new ParkedDrainMeasure(rounds, backlog, 0, 0),
                new ParkedDrainMeasure(rounds, backlog, keys, each))),
        warmUps,
        new ParkedReport());
  }

  /**
   * Some of the measures.
   *
   * @param names separated by commas
   * @throws IllegalArgumentException when there is no measure of such a name
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
