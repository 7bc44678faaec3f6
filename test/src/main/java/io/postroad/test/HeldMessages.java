package io.postroad.test;

import io.postroad.store.Claim;
import io.postroad.store.OrderKey;
import io.postroad.store.Settlement;
import io.postroad.store.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** The messages of a lane that are held back, by key. Guarded by the lock of its database. */
final class HeldMessages {
  private final Map<OrderKey, HeldKey> keys = new HashMap<>();

  Set<OrderKey> keys() {
    return Set.copyOf(keys.keySet());
  }

  long pending() {
    return rows().filter(row -> !row.isDead()).count();
  }

  long dead() {
    return rows().filter(HeldRow::isDead).count();
  }

  /** When the keys are due that are not parked. */
  Stream<Instant> dueTimes() {
    return keys.values().stream().filter(key -> !key.isParked()).map(HeldKey::dueAt);
  }

  Optional<StoredMessage> find(UUID id) {
    return keys.values().stream().flatMap(key -> key.find(id).stream()).findFirst();
  }

  private Stream<HeldRow> rows() {
    return keys.values().stream().flatMap(key -> key.rows().stream());
  }

  void hold(Collection<Settlement> settlements, Instant now) {
    for (Settlement settlement : inOrder(settlements)) {
      keys.computeIfAbsent(keyOf(settlement), key -> new HeldKey(now.plus(settlement.delay())))
          .hold(settlement);
    }
  }

  /** The longest due key first. */
  List<Claim> take(String node, int limit, Instant now) {
    List<HeldKey> due =
        keys.values().stream()
            .filter(key -> key.isDue(now))
            .sorted(Comparator.comparing(HeldKey::dueAt))
            .toList();
    List<Claim> claims = new ArrayList<>();
    for (HeldKey key : due) {
      claims.addAll(key.take(node, limit - claims.size()));
    }
    return List.copyOf(claims);
  }

  /** Answers the keys that are free now. */
  Set<OrderKey> settle(Collection<Settlement> settlements, Instant now) {
    Set<OrderKey> free = new HashSet<>();
    for (Settlement settlement : inOrder(settlements)) {
      OrderKey name = keyOf(settlement);
      HeldKey key = keys.get(name);
      if (key != null) {
        key.settle(settlement, now);
        if (key.isEmpty()) {
          keys.remove(name);
          free.add(name);
        }
      }
    }
    return Set.copyOf(free);
  }

  private static OrderKey keyOf(Settlement settlement) {
    return OrderKey.of(settlement.claim().message());
  }

  private static List<Settlement> inOrder(Collection<Settlement> settlements) {
    return settlements.stream()
        .sorted(Comparator.comparingLong(settlement -> settlement.claim().token()))
        .toList();
  }
}
