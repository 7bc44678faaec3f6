package io.postroad.benchmarks.outbox;

import java.sql.SQLException;
import java.util.List;

/** What is spent from now on, per event. */
final class Spending {
  private final Meter meter;
  private final long walBytes;
  private final long statements;

  Spending(Meter meter) throws SQLException {
    this.meter = meter;
    this.walBytes = meter.walBytes();
    this.statements = meter.statements();
  }

  /** Under the names of a measure; asked when the relay has stopped, so that nothing is missing. */
  List<Figure> figures(String measure, long events) throws SQLException {
    double wal = meter.walBytes() - walBytes;
    double sent = meter.statements() - statements;
    return List.of(
        new Figure(measure + "-wal", wal / events, Figure.Unit.WAL_BYTES_PER_EVENT),
        new Figure(measure + "-statements", sent / events, Figure.Unit.STATEMENTS_PER_EVENT));
  }
}
