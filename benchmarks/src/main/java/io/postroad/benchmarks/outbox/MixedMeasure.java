package io.postroad.benchmarks.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how many events per second reach the consumer while eight writers commit as fast as
 * possible, until all events have arrived.
 */
record MixedMeasure(int rounds, Duration forTime) implements Measure {
  @Override
  public String name() {
    return "mixed";
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    Spending spending = new Spending(round.meter());
    round.startRelay();
    long began = System.nanoTime();
    Writers.write(round, forTime);
    round.awaitArrival();
    double rate = Rate.since(began, round.committed());
    round.stopRelay();
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure(name(), rate, Figure.Unit.EVENTS_PER_SECOND));
    figures.addAll(spending.figures(name(), round.committed()));
    return figures;
  }
}
