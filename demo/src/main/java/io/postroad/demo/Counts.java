package io.postroad.demo;

import java.util.Locale;

/**
 * The counts of a run.
 *
 * @param committed orders with a committed transaction
 * @param delivered committed orders that the consumer has seen
 * @param lost during the run, orders that were given up or skipped by the consumer; at the end, all
 *     missing ones
 * @param outOfOrder events that were first seen after a later event of the same customer
 * @param duplicates events that were seen again
 * @param rolledBack orders that were rolled back on purpose
 * @param phantoms seen events without a committed transaction
 */
record Counts(
    int committed,
    int delivered,
    int lost,
    int outOfOrder,
    int duplicates,
    int rolledBack,
    int phantoms) {

  /** Returns whether no event was lost, out of order or a phantom. Duplicates are only reported. */
  boolean ok() {
    return lost == 0 && phantoms == 0 && outOfOrder == 0;
  }

  String progress() {
    return String.format(
        Locale.ROOT,
        "committed %6d | delivered %6d | lag %6d | lost %d | duplicates %d | out of order %d",
        committed,
        delivered,
        committed - delivered,
        lost,
        duplicates,
        outOfOrder);
  }

  String summary() {
    return "committed=%d delivered=%d lost=%d out-of-order=%d duplicates=%d"
        .formatted(committed, delivered, lost, outOfOrder, duplicates);
  }
}
