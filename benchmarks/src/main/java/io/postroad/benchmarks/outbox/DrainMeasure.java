package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * How fast a relay delivers a backlog, from its start until the last event was received. It has
 * delivered before, so what is measured is the way of the events and not that to the broker.
 */
record DrainMeasure(int rounds, int backlog) implements Measure {
  private static final int CHUNK = 1_000;

  @Override
  public String name() {
    return "drain";
  }

  @Override
  public List<Figure> run(Round round) throws SQLException, InterruptedException {
    EventStream stream = new EventStream(0, 1);
    round.fill(List.of(stream.next()));
    round.startRelay();
    round.awaitArrival();
    round.stopRelay();
    for (int left = backlog; left > 0; left -= CHUNK) {
      round.fill(Stream.generate(stream::next).limit(Math.min(left, CHUNK)).toList());
    }
    long began = System.nanoTime();
    round.startRelay();
    round.awaitArrival();
    double rate = Rate.since(began, backlog);
    return List.of(new Figure(name(), rate, Figure.Unit.EVENTS_PER_SECOND));
  }
}
