package io.postroad.benchmarks.outbox;

import java.util.Arrays;
import java.util.List;

/** The databases of the benchmark. */
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

    /** Returns false for the hot key, because writers do not conflict on it here. */
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

    /**
     * Returns the thresholds. Order costs a writer a round trip to the counter here, also by hand.
     */
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
   * Returns the store with this name.
   *
   * @throws IllegalArgumentException if there is none
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

  /** Returns the name in arguments and in every line. */
  String label() {
    return label;
  }

  /** Returns the name for people. */
  String title() {
    return title;
  }

  /** Returns the entrants in the order of printing. */
  abstract List<Entrant> entrants();

  /** Returns the thresholds for Postroad. */
  abstract List<Threshold> thresholds();

  /**
   * Returns the number of events that takes about as long here as the given number on PostgreSQL.
   */
  abstract int events(int onPostgres);

  /** Returns whether a measure applies to this store. */
  abstract boolean has(Measure measure);

  /** Starts a new server. */
  abstract BenchDatabase start();
}
