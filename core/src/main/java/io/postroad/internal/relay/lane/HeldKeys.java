package io.postroad.internal.relay.lane;

import io.postroad.store.OrderKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The keys of a lane whose messages are held back: in the database, or about to be written there;
 * and which of them are blocked because they got no answer while other keys did. The latter is
 * known to this owner only; the next one finds it out again. Used by one thread.
 */
final class HeldKeys {
  private final Set<OrderKey> keys = new HashSet<>();

  /** Those without an answer, and how often in a row. */
  private final Map<OrderKey, Integer> unanswered = new HashMap<>();

  boolean isEmpty() {
    return keys.isEmpty();
  }

  boolean contains(OrderKey key) {
    return keys.contains(key);
  }

  /** Whether it was free before. */
  boolean hold(OrderKey key) {
    return keys.add(key);
  }

  /** Counts a send of this key without an answer; returns how many there were in a row. */
  int countUnanswered(OrderKey key) {
    return unanswered.merge(key, 1, Integer::sum);
  }

  boolean isUnanswered(OrderKey key) {
    return unanswered.containsKey(key);
  }

  /** How many keys got no answer while others did. */
  int unanswered() {
    return unanswered.size();
  }

  /** Got an answer; whether it had none before. */
  boolean answered(OrderKey key) {
    return unanswered.remove(key) != null;
  }

  /**
   * Lets keys go of which the database holds nothing back, unless something of theirs is still to
   * be written there; the ones that are free now.
   */
  Set<OrderKey> free(Set<OrderKey> notInDatabase, LaneWindow window) {
    Set<OrderKey> freed = new HashSet<>(notInDatabase);
    freed.removeIf(key -> window.has(key) || !keys.remove(key));
    unanswered.keySet().removeAll(freed);
    return freed;
  }

  /** Takes over what the database says; the keys that are free now. */
  Set<OrderKey> refresh(Set<OrderKey> inDatabase, LaneWindow window) {
    Set<OrderKey> gone = new HashSet<>(keys);
    gone.removeAll(inDatabase);
    keys.addAll(inDatabase);
    return free(gone, window);
  }
}
