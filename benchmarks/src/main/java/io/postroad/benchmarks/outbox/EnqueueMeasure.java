package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.List;

/** How many transactions with an event eight writers commit while no relay runs. */
record EnqueueMeasure(int rounds, int warmUpEvents, Duration forTime) implements Measure {
  @Override
  public String name() {
    return "enqueue";
  }

  /** By number: code is compiled after so many calls, and a slow machine needs longer for them. */
  @Override
  public void warmUp(Round round) throws Exception {
    Writers.write(round, warmUpEvents);
    deliver(round);
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    Duration took = Writers.write(round, forTime);
    double rate = Rate.of(round.committed(), took);
    deliver(round);
    return List.of(new Figure(name(), rate, Figure.Unit.TRANSACTIONS_PER_SECOND));
  }

  private static void deliver(Round round) throws Exception {
    round.startRelay();
    round.awaitArrival();
  }
}
