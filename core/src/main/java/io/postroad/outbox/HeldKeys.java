package io.postroad.outbox;

import io.postroad.store.OrderKey;
import java.util.HashSet;
import java.util.Set;

/**
 * The keys of a lane whose messages are held back: in the database, or about to be written there.
 * Used by one thread.
 */
final class HeldKeys {
  private final Set<OrderKey> keys = new HashSet<>();

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

  /**
   * Lets keys go of which the database holds nothing back, unless something of theirs is still to
   * be written there; the ones that are free now.
   */
  Set<OrderKey> free(Set<OrderKey> notInDatabase, LaneWindow window) {
    Set<OrderKey> freed = new HashSet<>(notInDatabase);
    freed.removeIf(key -> window.has(key) || !keys.remove(key));
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
