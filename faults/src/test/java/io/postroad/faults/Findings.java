package io.postroad.faults;

import io.postroad.faults.Topic.Arrival;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Compares the committed messages with those that arrived.
 *
 * @param kind of outbox, which decides whether order is promised
 * @param committed events whose business row is in the database, which is the truth: a writer that
 *     was cut off in its commit cannot know
 * @param vanished events whose commit was acknowledged to the writer, but whose row is gone
 * @param lost committed and not in the topic
 * @param phantoms in the topic and not committed
 * @param dead dead letters
 * @param duplicates repeats in the topic; at-least-once allows them
 * @param outOfOrder first occurrences behind a later one of their key; allowed to the competing
 *     outbox only
 */
record Findings(
    StoreKind kind,
    int committed,
    Set<UUID> vanished,
    Set<UUID> lost,
    Set<UUID> phantoms,
    Set<UUID> dead,
    int duplicates,
    int outOfOrder) {

  static Findings of(
      StoreKind kind,
      Set<UUID> committed,
      Set<UUID> acknowledged,
      Set<UUID> dead,
      List<Arrival> arrivals) {
    Set<UUID> seen = new HashSet<>();
    Map<String, Integer> latest = new HashMap<>();
    int duplicates = 0;
    int outOfOrder = 0;
    for (Arrival arrival : arrivals) {
      if (!seen.add(arrival.event())) {
        duplicates++;
      } else if (arrival.number() < latest.getOrDefault(arrival.account(), 0)) {
        outOfOrder++;
      } else {
        latest.put(arrival.account(), arrival.number());
      }
    }
    return new Findings(
        kind,
        committed.size(),
        minus(acknowledged, committed),
        minus(committed, seen),
        minus(seen, committed),
        dead,
        duplicates,
        outOfOrder);
  }

  private static Set<UUID> minus(Set<UUID> these, Set<UUID> those) {
    Set<UUID> rest = new HashSet<>(these);
    rest.removeAll(those);
    return Set.copyOf(rest);
  }

  /** Whether the promise was kept. */
  boolean ok() {
    boolean inOrder = kind != StoreKind.ORDERED || outOfOrder == 0;
    return inOrder && vanished.isEmpty() && lost.isEmpty() && phantoms.isEmpty() && dead.isEmpty();
  }

  @Override
  public String toString() {
    return "committed=%d lost=%d phantoms=%d dead=%d vanished=%d duplicates=%d out-of-order=%d"
        .formatted(
            committed,
            lost.size(),
            phantoms.size(),
            dead.size(),
            vanished.size(),
            duplicates,
            outOfOrder);
  }
}
