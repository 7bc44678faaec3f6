package io.postroad.benchmarks.outbox;

import java.util.Arrays;
import java.util.List;

/** The databases to measure on. */
enum BenchStore {
  POSTGRES("postgres", "PostgreSQL") {
    @Override
    List<Entrant> entrants() {
      return PostgresBench.entrants();
    }

    @Override
    List<Threshold> thresholds() {
      return List.of(
          new Threshold("enqueue", 0.85),
          new Threshold("drain", 0.7),
          new Threshold("latency-p50", 2),
          new Threshold("mixed", 0.9));
    }

    @Override
    int events(int onPostgres) {
      return onPostgres;
    }

    /** Nobody conflicts on a hot key. */
    @Override
    boolean has(Measure measure) {
      return !measure.name().equals(HotKeyMeasure.NAME);
    }

    @Override
    BenchDatabase start() {
      return PostgresBench.start();
    }
  },
  MONGODB("mongodb", "MongoDB") {
    @Override
    List<Entrant> entrants() {
      return MongoBench.entrants();
    }

    /** Order costs a writer a round trip to the counter here, by hand too. */
    @Override
    List<Threshold> thresholds() {
      return List.of(
          new Threshold("enqueue", 0.85).against("limit-log"), new Threshold("drain", 0.5));
    }

    @Override
    int events(int onPostgres) {
      return onPostgres / 4;
    }

    @Override
    boolean has(Measure measure) {
      return true;
    }

    @Override
    BenchDatabase start() {
      return MongoBench.start();
    }
  };

  private final String label;
  private final String title;

  BenchStore(String label, String title) {
    this.label = label;
    this.title = title;
  }

  /**
   * The one of this name.
   *
   * @throws IllegalArgumentException when there is none
   */
  static BenchStore named(String label) {
    return Arrays.stream(values())
        .filter(store -> store.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--store takes one of %s, got: %s"
                        .formatted(
                            Arrays.stream(values()).map(BenchStore::label).toList(), label)));
  }

  /** As it is named in arguments and in every line. */
  String label() {
    return label;
  }

  /** As people call it. */
  String title() {
    return title;
  }

  /** Who takes part, in the order in which they are printed. */
  abstract List<Entrant> entrants();

  /** What Postroad should reach. */
  abstract List<Threshold> thresholds();

  /** How many events make as long a round here as this many do on PostgreSQL, more or less. */
  abstract int events(int onPostgres);

  /** Whether this question makes sense here. */
  abstract boolean has(Measure measure);

  /** A server of its own. */
  abstract BenchDatabase start();
}
