package io.postroad.benchmarks.outbox;

import java.util.Locale;

/** One answer: a value under its name. */
record Figure(String name, double value, Unit unit) {

  /** What a value counts. */
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

    /** The value with its symbol, for example {@code 9512 tx/s}. */
    String print(double value) {
      return String.format(Locale.ROOT, format, value) + " " + symbol;
    }

    Kind kind() {
      return kind;
    }
  }

  /** Which of two values is the better one. */
  enum Kind {
    SPEED,
    TIME,
    /** Like a time, but near nothing for some, so that a ratio would say nothing. */
    COST;

    /** Whether a value this many times another one is the better of the two. */
    boolean isBetter(double ratio) {
      return this == SPEED ? ratio > 1 : ratio < 1;
    }
  }
}
