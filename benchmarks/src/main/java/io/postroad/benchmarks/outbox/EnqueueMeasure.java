package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Measures how many transactions with an event eight writers commit while no relay runs.
 *
 * @param leadInEvents events before the measured ones of each round, because code that was compiled
 *     for another contender is discarded
 */
record EnqueueMeasure(int rounds, int warmUpEvents, int leadInEvents, Duration forTime)
    implements Measure {
  @Override
  public String name() {
    return "enqueue";
  }

  /**
   * Warms up by number: code is compiled after a number of calls, which take longer on a slow
   * machine.
   */
  @Override
  public void warmUp(Round round) throws Exception {
    Writers.write(round, warmUpEvents);
    deliver(round);
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    IntFunction<Writers.Stream> streams = Writers.ownKeys();
    Writers.write(round, leadInEvents, streams);
    long leadIn = round.committed();
    Duration took = Writers.write(round, forTime, streams);
    double rate = Rate.of(round.committed() - leadIn, took);
    deliver(round);
    return List.of(new Figure(name(), rate, Figure.Unit.TRANSACTIONS_PER_SECOND));
  }

  private static void deliver(Round round) throws Exception {
    round.startRelay();
    round.awaitArrival();
  }
}
