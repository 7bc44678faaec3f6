package io.postroad.internal.relay.lane;

import io.postroad.spi.LaneEntry;
import io.postroad.store.OrderKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The messages between read and advance, in the order of the lane: first those that are done from
 * the first on, which an advance may write down, then the others. Used by one thread.
 */
final class LaneWindow {
  private final List<Slot> done = new ArrayList<>();
  private final Deque<Slot> open = new ArrayDeque<>();

  /** Those of the others that are to be sent, or sent again; in order. */
  private final List<Slot> waiting = new ArrayList<>();

  void add(List<LaneEntry> entries) {
    for (LaneEntry entry : entries) {
      Slot slot = new Slot(entry);
      open.add(slot);
      waiting.add(slot);
    }
  }

  int size() {
    return done.size() + open.size();
  }

  /** What an advance may write down. */
  List<Slot> done() {
    return done;
  }

  /** Moves what is done from the first message on to {@link #done()}; the next one is not. */
  @Nullable Slot gatherDone() {
    Slot first = open.peekFirst();
    while (first != null && first.isDone()) {
      done.add(open.removeFirst());
      first = open.peekFirst();
    }
    return first;
  }

  /** All that come after what an advance may write down, done or not. */
  Iterable<Slot> notDone() {
    return open;
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Takes those that are to be sent. */
  List<Slot> takeWaiting() {
    List<Slot> taken = List.copyOf(waiting);
    waiting.clear();
    return taken;
  }

  /** Finds out anew which ones are to be sent, after some that were in flight are not any more. */
  void findWaiting() {
    waiting.clear();
    for (Slot slot : open) {
      if (slot.isWaiting()) {
        waiting.add(slot);
      }
    }
  }

  /** Has messages that were about to be set aside join their keys' lines instead. */
  void join(String destination, HeldKeys heldKeys, LaneRules rules) {
    Stream.concat(done.stream(), open.stream())
        .filter(slot -> slot.isSetAside() && slot.message().destination().equals(destination))
        .forEach(
            slot -> {
              slot.done(rules.behind(slot.claim()));
              heldKeys.hold(slot.key());
            });
  }

  boolean has(OrderKey key) {
    return Stream.concat(done.stream(), open.stream()).anyMatch(slot -> slot.key().equals(key));
  }
}
