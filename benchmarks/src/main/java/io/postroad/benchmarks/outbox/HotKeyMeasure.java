package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.List;

/**
 * Measures how many transactions with events of the same key eight writers commit while no relay
 * runs, and how many they start for that: transactions with a conflict are repeated.
 */
record HotKeyMeasure(int rounds, int warmUpEvents, Duration forTime) implements Measure {
  static final String NAME = "hot-key";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void warmUp(Round round) throws Exception {
    Writers.write(round, warmUpEvents, HotStream::new);
    deliver(round);
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    long startedBefore = round.meter().transactions();
    Duration took = Writers.write(round, forTime, HotStream::new);
    double started = round.meter().transactions() - startedBefore;
    double rate = Rate.of(round.committed(), took);
    double perAppend = started / round.committed();
    deliver(round);
    return List.of(
        new Figure(NAME, rate, Figure.Unit.TRANSACTIONS_PER_SECOND),
        new Figure(NAME + "-transactions", perAppend, Figure.Unit.TRANSACTIONS_PER_APPEND));
  }

  private static void deliver(Round round) throws Exception {
    round.startRelay();
    round.awaitArrival();
  }

  /** The events of one writer, all with the key that the other writers use. */
  private static final class HotStream implements Writers.Stream {
    private final int writer;
    private int nextSeq;

    HotStream(int writer) {
      this.writer = writer;
    }

    @Override
    public Event next() {
      return Event.hot(writer, nextSeq++);
    }
  }
}
