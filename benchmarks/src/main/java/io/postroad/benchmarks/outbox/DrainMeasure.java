package io.postroad.benchmarks.outbox;

import java.util.ArrayList;
import java.util.List;

/**
 * Measures the rate at which a relay delivers a backlog, from its start until the last event is
 * received. The relay has delivered before, so that connecting to the broker is not measured.
 */
record DrainMeasure(int rounds, int warmUpBacklog, int backlog) implements Measure {
  @Override
  public String name() {
    return "drain";
  }

  /** Runs long enough to compile the code per event, because a backlog is delivered in seconds. */
  @Override
  public void warmUp(Round round) throws Exception {
    List<Figure> unused = drain(round, warmUpBacklog);
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    return drain(round, backlog);
  }

  private List<Figure> drain(Round round, int size) throws Exception {
    EventStream stream = new EventStream(0, 1);
    Backlog.deliverOne(round, stream);
    Backlog.fill(round, stream, size);
    Spending spending = new Spending(round.meter());
    long began = System.nanoTime();
    round.startRelay();
    round.awaitArrival();
    double rate = Rate.since(began, size);
    round.stopRelay();
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure(name(), rate, Figure.Unit.EVENTS_PER_SECOND));
    figures.addAll(spending.figures(name(), size));
    return figures;
  }
}
