package io.postroad.benchmarks.outbox;

import java.util.List;

/**
 * How fast a relay delivers a backlog while other keys are parked behind dead letters, and what it
 * reads for it.
 *
 * @param keys how many are parked, none for comparison
 * @param each how many messages each of them has
 */
record ParkedDrainMeasure(int rounds, int backlog, int keys, int each) implements Measure {
  static final String PLAIN = "drain";
  static final String PARKED = "drain-parked";
  static final String READS = "-reads";

  @Override
  public String name() {
    return keys == 0 ? PLAIN : PARKED;
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    EventStream stream = new EventStream(0, 1);
    round.park(keys, each);
    Backlog.deliverOne(round, stream);
    Backlog.fill(round, stream, backlog);
    MeteredDrain drain = MeteredDrain.of(round, backlog);
    return List.of(
        new Figure(name(), drain.rate(), Figure.Unit.EVENTS_PER_SECOND),
        new Figure(name() + READS, drain.reads(), round.meter().readUnit()));
  }
}
