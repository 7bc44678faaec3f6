package io.postroad.demo;

import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxSignal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The records of the demo, independent of the outbox: writers record commits and rollbacks, and the
 * consumer records the events that it sees.
 *
 * <p>Thread-safe.
 */
final class Ledger implements OutboxObserver {
  private final Set<UUID> committed = new HashSet<>();
  private final Set<UUID> rolledBack = new HashSet<>();
  private final Set<UUID> seen = new HashSet<>();
  private final Set<UUID> dead = new HashSet<>();
  private final Map<UUID, Place> acknowledged = new HashMap<>();
  private final Map<Integer, Long> readUpTo = new HashMap<>();
  private final Map<String, Integer> latestNumber = new HashMap<>();
  private int duplicates;
  private int outOfOrder;

  private record Place(int partition, long offset) {}

  synchronized void committed(UUID event) {
    committed.add(event);
  }

  synchronized void rolledBack(UUID event) {
    rolledBack.add(event);
  }

  /** Records an event that the consumer has seen. */
  synchronized void seen(UUID event, Order order) {
    acknowledged.remove(event);
    if (!seen.add(event)) {
      duplicates++;
    } else if (order.number() < latestNumber.getOrDefault(order.customer(), 0)) {
      outOfOrder++;
    } else {
      latestNumber.put(order.customer(), order.number());
    }
  }

  /** Records that the consumer has read a partition up to an offset. */
  synchronized void readUpTo(int partition, long offset) {
    readUpTo.put(partition, offset);
  }

  /** Records the relay's signals, but only failures and positions of sent events. */
  @Override
  public synchronized void on(OutboxSignal signal) {
    if (signal instanceof OutboxSignal.Died died) {
      dead.add(died.message().id());
    } else if (signal instanceof OutboxSignal.Delivered delivered
        && !seen.contains(delivered.message().id())) {
      acknowledged.put(
          delivered.message().id(),
          new Place(
              Integer.parseInt(delivered.receipt().getOrDefault("partition", "-1")),
              Long.parseLong(delivered.receipt().getOrDefault("offset", "-1"))));
    }
  }

  /** Returns the counts during the run. Events in transit count as lag, not as lost. */
  synchronized Counts now() {
    long readPast =
        acknowledged.values().stream()
            .filter(place -> place.offset() < readUpTo.getOrDefault(place.partition(), -1L))
            .count();
    long phantoms = rolledBack.stream().filter(seen::contains).count();
    return counts((int) readPast + dead.size(), (int) phantoms);
  }

  /** Returns the final counts: missing events are lost. */
  synchronized Counts atTheEnd() {
    long phantoms = seen.stream().filter(event -> !committed.contains(event)).count();
    return counts(committed.size() - delivered(), (int) phantoms);
  }

  /** Returns some of the missing events, for the search of the cause. */
  synchronized List<UUID> missing(int atMost) {
    return committed.stream().filter(event -> !seen.contains(event)).limit(atMost).toList();
  }

  private int delivered() {
    return (int) committed.stream().filter(seen::contains).count();
  }

  private Counts counts(int lost, int phantoms) {
    return new Counts(
        committed.size(), delivered(), lost, outOfOrder, duplicates, rolledBack.size(), phantoms);
  }
}
