package io.postroad.faults;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints what a relay reports: a line for each fence rejection, and totals of all signals after
 * each poll that found them changed.
 */
final class SignalLines implements OutboxObserver {
  static final String TOTALS = "TOTALS ";
  static final String FENCE_REJECTED = "FENCE-REJECTED ";

  private final Map<String, Integer> totals = new TreeMap<>();
  private boolean changed;

  @Override
  public synchronized void on(OutboxSignal signal) {
    if (signal instanceof OutboxSignal.Polled) {
      printTotals();
      return;
    }
    totals.merge(signal.getClass().getSimpleName(), 1, Integer::sum);
    changed = true;
    if (signal instanceof OutboxSignal.FenceRejected rejected) {
      System.out.println(FENCE_REJECTED + rejected.message().id() + " " + rejected.verb());
    }
  }

  private void printTotals() {
    if (changed) {
      StringBuilder line = new StringBuilder(TOTALS);
      totals.forEach((name, count) -> line.append(name).append('=').append(count).append(' '));
      System.out.println(line.toString().strip());
      changed = false;
    }
  }
}
