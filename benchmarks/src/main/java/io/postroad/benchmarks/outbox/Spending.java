package io.postroad.benchmarks.outbox;

import java.util.List;

/** Measures the costs per event from now on. */
final class Spending {
  private final Meter meter;
  private final long logBytes;
  private final long statements;

  Spending(Meter meter) throws Exception {
    this.meter = meter;
    this.logBytes = meter.logBytes();
    this.statements = meter.statements();
  }

  /**
   * Returns the costs as figures of a measure; called after the relay has stopped, so that no cost
   * is missing.
   */
  List<Figure> figures(String measure, long events) throws Exception {
    double log = meter.logBytes() - logBytes;
    double sent = meter.statements() - statements;
    return List.of(
        new Figure(measure + "-" + meter.logName(), log / events, Figure.Unit.LOG_BYTES_PER_EVENT),
        new Figure(measure + "-statements", sent / events, Figure.Unit.STATEMENTS_PER_EVENT));
  }
}
