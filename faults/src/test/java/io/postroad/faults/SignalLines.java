package io.postroad.faults;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prints what a relay reports: a line for each lane taken or lost and for each fence rejection, and
 * totals of all signals after each poll that found them changed.
 */
final class SignalLines implements OutboxObserver {
  static final String TOTALS = "TOTALS ";
  static final String FENCE_REJECTED = "FENCE-REJECTED ";

  static final String LANE_TAKEN = "LANE-TAKEN ";
  static final String LANE_LOST = "LANE-LOST ";

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
    if (signal instanceof OutboxSignal.LaneTaken taken) {
      System.out.println(LANE_TAKEN + taken);
    }
    if (signal instanceof OutboxSignal.LaneLost lost) {
      System.out.println(LANE_LOST + lost);
    }
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
