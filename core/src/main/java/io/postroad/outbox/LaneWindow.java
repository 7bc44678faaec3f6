package io.postroad.outbox;

import io.postroad.store.LaneEntry;
import io.postroad.store.OrderKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/** The messages between read and advance, in the order of the lane. Used by one thread. */
final class LaneWindow implements Iterable<Slot> {
  private final Deque<Slot> slots = new ArrayDeque<>();

  void add(List<LaneEntry> entries) {
    entries.forEach(entry -> slots.add(new Slot(entry)));
  }

  int size() {
    return slots.size();
  }

  @Override
  public Iterator<Slot> iterator() {
    return slots.iterator();
  }

  /** The messages from the first on that are done: what an advance may write down. */
  List<Slot> donePrefix() {
    List<Slot> prefix = new ArrayList<>();
    for (Slot slot : slots) {
      if (!slot.isDone()) {
        break;
      }
      prefix.add(slot);
    }
    return prefix;
  }

  void removeFirst(int count) {
    for (int i = 0; i < count; i++) {
      slots.removeFirst();
    }
  }

  /** The messages that are to be sent, or sent again. */
  List<Slot> waiting() {
    return slots.stream().filter(Slot::isWaiting).toList();
  }

  boolean has(OrderKey key) {
    return slots.stream().anyMatch(slot -> slot.key().equals(key));
  }
}
