package io.postroad.benchmarks.outbox;

import java.util.List;

/** What is spent from now on, per event. */
final class Spending {
  private final Meter meter;
  private final long logBytes;
  private final long statements;

  Spending(Meter meter) throws Exception {
    this.meter = meter;
    this.logBytes = meter.logBytes();
    this.statements = meter.statements();
  }

  /** Under the names of a measure; asked when the relay has stopped, so that nothing is missing. */
  List<Figure> figures(String measure, long events) throws Exception {
    double log = meter.logBytes() - logBytes;
    double sent = meter.statements() - statements;
    return List.of(
        new Figure(measure + "-" + meter.logName(), log / events, Figure.Unit.LOG_BYTES_PER_EVENT),
        new Figure(measure + "-statements", sent / events, Figure.Unit.STATEMENTS_PER_EVENT));
  }
}
