package io.postroad.benchmarks.outbox;

import java.util.List;

/**
 * Measures the rate and the reads of delivering a backlog while other keys are blocked behind dead
 * letters.
 *
 * @param keys the number of blocked keys, 0 for comparison
 * @param each the number of messages of each key
 */
record BlockedDrainMeasure(int rounds, int backlog, int keys, int each) implements Measure {
  static final String PLAIN = "drain";
  static final String BLOCKED = "drain-parked";
  static final String READS = "-reads";

  @Override
  public String name() {
    return keys == 0 ? PLAIN : BLOCKED;
  }

  @Override
  public List<Figure> run(Round round) throws Exception {
    EventStream stream = new EventStream(0, 1);
    round.block(keys, each);
    Backlog.deliverOne(round, stream);
    Backlog.fill(round, stream, backlog);
    MeteredDrain drain = MeteredDrain.of(round, backlog);
    return List.of(
        new Figure(name(), drain.rate(), Figure.Unit.EVENTS_PER_SECOND),
        new Figure(name() + READS, drain.reads(), round.meter().readUnit()));
  }
}
