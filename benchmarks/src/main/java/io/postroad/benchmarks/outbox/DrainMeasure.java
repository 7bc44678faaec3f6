package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * How fast a relay delivers a backlog, from its start until the last event was received. It has
 * delivered before, so what is measured is the way of the events and not that to the broker.
 */
record DrainMeasure(int rounds, int backlog) implements Measure {
  @Override
  public String name() {
    return "drain";
  }

  @Override
  public List<Figure> run(Round round) throws SQLException, InterruptedException {
    EventStream stream = new EventStream(0, 1);
    Backlog.deliverOne(round, stream);
    Backlog.fill(round, stream, backlog);
    Spending spending = new Spending(round.meter());
    long began = System.nanoTime();
    round.startRelay();
    round.awaitArrival();
    double rate = Rate.since(began, backlog);
    round.stopRelay();
    List<Figure> figures = new ArrayList<>();
    figures.add(new Figure(name(), rate, Figure.Unit.EVENTS_PER_SECOND));
    figures.addAll(spending.figures(name(), backlog));
    return figures;
  }
}
