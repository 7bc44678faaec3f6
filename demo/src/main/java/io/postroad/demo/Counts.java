package io.postroad.demo;

import java.util.Locale;

/**
 * How the books stand.
 *
 * @param committed orders whose transaction committed
 * @param delivered of these, how many the consumer has seen
 * @param lost during the run, what was given up or read past; at the end, all that is missing
 * @param outOfOrder events first seen after a later event of the same customer
 * @param duplicates events seen again
 * @param rolledBack orders taken back on purpose
 * @param phantoms events seen whose transaction did not commit
 */
record Counts(
    int committed,
    int delivered,
    int lost,
    int outOfOrder,
    int duplicates,
    int rolledBack,
    int phantoms) {

  /** Nothing lost, nothing out of order, nothing that never happened. Repeats are reported only. */
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
