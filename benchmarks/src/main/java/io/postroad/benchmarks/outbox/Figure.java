package io.postroad.benchmarks.outbox;

import java.util.Locale;

/** One answer: a value under its name. */
record Figure(String name, double value, Unit unit) {

  /** What a value counts. */
  enum Unit {
    TRANSACTIONS_PER_SECOND("tx/s", "%.0f"),
    EVENTS_PER_SECOND("events/s", "%.0f"),
    MILLIS("ms", "%.2f");

    private final String symbol;
    private final String format;

    Unit(String symbol, String format) {
      this.symbol = symbol;
      this.format = format;
    }

    /** The value with its symbol, for example {@code 9512 tx/s}. */
    String print(double value) {
      return String.format(Locale.ROOT, format, value) + " " + symbol;
    }
  }
}
