package io.postroad.benchmarks.outbox;

import java.util.Locale;

/** A measured value with its name. */
record Figure(String name, double value, Unit unit) {

  /** The unit of a value. */
  enum Unit {
    TRANSACTIONS_PER_SECOND("tx/s", "%.0f", Kind.SPEED),
    EVENTS_PER_SECOND("events/s", "%.0f", Kind.SPEED),
    MILLIS("ms", "%.2f", Kind.TIME),
    LOG_BYTES_PER_EVENT("bytes/event", "%.1f", Kind.COST),
    TRANSACTIONS_PER_APPEND("transactions/append", "%.2f", Kind.COST),
    STATEMENTS_PER_EVENT("statements/event", "%.4f", Kind.COST),
    BUFFERS_PER_EVENT("buffers/event", "%.2f", Kind.COST),
    DOCUMENTS_PER_EVENT("documents/event", "%.2f", Kind.COST);

    private final String symbol;
    private final String format;
    private final Kind kind;

    Unit(String symbol, String format, Kind kind) {
      this.symbol = symbol;
      this.format = format;
      this.kind = kind;
    }

    /** Returns the value with its symbol, for example {@code 9512 tx/s}. */
    String print(double value) {
      return String.format(Locale.ROOT, format, value) + " " + symbol;
    }

    Kind kind() {
      return kind;
    }
  }

  /** Decides which of two values is better. */
  enum Kind {
    SPEED,
    TIME,
    /** Like a time, but near zero for some entrants, so that a ratio has no meaning. */
    COST;

    /** Returns whether a value with this ratio to another one is better. */
    boolean isBetter(double ratio) {
      return this == SPEED ? ratio > 1 : ratio < 1;
    }
  }
}
