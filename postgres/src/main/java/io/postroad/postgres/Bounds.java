package io.postroad.postgres;

import io.postroad.store.DeadLetterStore;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Refuses what would be too much for one call, before anything is done. */
final class Bounds {
  private Bounds() {}

  static int limit(String verb, int limit) {
    if (limit < 1 || limit > DeadLetterStore.MAX_IDS) {
      throw new IllegalArgumentException(
          "%s limit must be 1 to %d, got %d".formatted(verb, DeadLetterStore.MAX_IDS, limit));
    }
    return limit;
  }

  /** Each id once. */
  static List<UUID> ids(String verb, Collection<UUID> ids) {
    if (ids.size() > DeadLetterStore.MAX_IDS) {
      throw new IllegalArgumentException(
          "%s takes %d ids at most, got %d; call it for a part of them at a time"
              .formatted(verb, DeadLetterStore.MAX_IDS, ids.size()));
    }
    return ids.stream().distinct().toList();
  }
}
