package io.postroad.test;

import io.postroad.internal.store.BlockedTurn;
import io.postroad.message.Message;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedKey;
import io.postroad.store.DeadLetter;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The blocked messages of a lane, by key. Guarded by the lock of its database. */
final class BlockedRows {
  private final Map<OrderKey, BlockedLine> keys = new HashMap<>();

  /** Without those that wait for their destination. */
  Set<OrderKey> keys() {
    return keys.entrySet().stream()
        .filter(key -> key.getValue().asideSince().isEmpty())
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  boolean isHeld(OrderKey key) {
    return keys.containsKey(key);
  }

  Stream<Database.Waiting> waitingForDestinations() {
    return keys.entrySet().stream()
        .flatMap(
            key ->
                key.getValue().asideSince().stream()
                    .flatMap(
                        since ->
                            key.getValue().rows().stream()
                                .map(
                                    row ->
                                        new Database.Waiting(key.getKey().destination(), since))));
  }

  /** Returns the keys that it made due. */
  Set<OrderKey> open(String destination, int limit, Instant now) {
    Set<OrderKey> opened =
        keys.entrySet().stream()
            .filter(key -> key.getKey().destination().equals(destination))
            .filter(key -> key.getValue().asideSince().isPresent())
            .sorted(Comparator.comparing(key -> key.getValue().asideSince().orElseThrow()))
            .limit(limit)
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    opened.forEach(key -> Objects.requireNonNull(keys.get(key)).open(now));
    return opened;
  }

  long pending() {
    return rows().filter(row -> !row.isDead()).count();
  }

  long dead() {
    return rows().filter(BlockedRow::isDead).count();
  }

  /** When the keys are due that are not parked. */
  Stream<Instant> dueTimes() {
    return keys.values().stream().filter(key -> !key.isParked()).map(BlockedLine::dueAt);
  }

  Optional<StoredMessage> find(UUID id) {
    return keys.values().stream().flatMap(key -> key.find(id).stream()).findFirst();
  }

  private Stream<BlockedRow> rows() {
    return keys.values().stream().flatMap(key -> key.rows().stream());
  }

  void hold(Collection<Settlement> settlements, Instant now) {
    for (Settlement settlement : inOrder(settlements)) {
      BlockedRow row = new BlockedRow(settlement, now);
      if (!isHeld(row)) {
        keys.computeIfAbsent(
                blocksNoKey(settlement) ? alone(row) : row.key(),
                key -> BlockedLine.after(settlement, now))
            .hold(row);
      }
    }
  }

  /** A rescan brings it again. */
  private boolean isHeld(BlockedRow row) {
    return Stream.of(row.key(), alone(row))
        .flatMap(key -> Optional.ofNullable(keys.get(key)).stream())
        .anyMatch(key -> key.rows().stream().anyMatch(held -> held.place() == row.place()));
  }

  private static boolean blocksNoKey(Settlement settlement) {
    return settlement instanceof Settlement.Dead dead && !dead.blocksKey();
  }

  /** Returns the key of a dead letter that blocks no key. */
  private static OrderKey alone(BlockedRow row) {
    return new OrderKey(row.key().destination(), "id/" + row.id());
  }

  /** The longest due key first. */
  List<Claim> take(String node, int limit, Instant now) {
    List<BlockedLine> due =
        keys.values().stream()
            .filter(key -> key.isDue(now))
            .sorted(Comparator.comparing(BlockedLine::dueAt))
            .toList();
    List<BlockedRow> ready = due.stream().flatMap(BlockedLine::ready).limit(limit).toList();
    return BlockedTurn.of(ready, BlockedRow::isTaken).stream().map(row -> row.take(node)).toList();
  }

  /** Returns the keys that are free now. */
  Set<OrderKey> settle(Collection<Settlement> settlements, Instant now) {
    Set<OrderKey> free = new HashSet<>();
    for (Settlement settlement : inOrder(settlements)) {
      OrderKey name = keyOf(settlement);
      BlockedLine key = keys.get(name);
      if (key != null) {
        Optional<BlockedRow> row = key.at(settlement.claim().token()).filter(BlockedRow::isTaken);
        key.settle(settlement, now);
        if (row.isPresent() && blocksNoKey(settlement)) {
          key.remove(row.get(), now);
          keys.put(alone(row.get()), BlockedLine.of(row.get(), now));
        }
        if (key.isEmpty()) {
          keys.remove(name);
          free.add(name);
        }
      }
    }
    return Set.copyOf(free);
  }

  Stream<DeadLetter> deadLetters() {
    return keys.entrySet().stream()
        .flatMap(
            key ->
                key.getValue().rows().stream()
                    .filter(BlockedRow::isDead)
                    .map(row -> row.deadLetter(parks(key.getKey(), key.getValue(), row))));
  }

  private static boolean parks(OrderKey name, BlockedLine key, BlockedRow row) {
    return isShared(name) && key.first() == row;
  }

  /** Not that of one message only. */
  private static boolean isShared(OrderKey name) {
    return name.name().startsWith("key/");
  }

  Stream<BlockedKey> parkedKeys(int lane) {
    return keys.entrySet().stream()
        .filter(key -> isShared(key.getKey()) && key.getValue().isParked())
        .map(
            key -> {
              DeadLetter first = key.getValue().first().deadLetter(true);
              return new BlockedKey(
                  key.getKey(),
                  lane,
                  first.id(),
                  first.diedAt(),
                  first.error(),
                  Math.min(key.getValue().rows().size(), Backlog.COUNT_LIMIT));
            });
  }

  boolean has(UUID id) {
    return find(id).isPresent();
  }

  /** Brings a dead letter back to its key's line. */
  void replay(UUID id, Instant now) {
    BlockedRow row = takeOut(id, now);
    row.replay();
    putBack(row, now);
  }

  /** Where the log has the message that is replaced. */
  long replace(UUID id, Message replacement, Instant now) {
    BlockedRow row = takeOut(id, now);
    putBack(row.replacedBy(replacement), now);
    return row.place();
  }

  /** Where the log has the message that is gone. */
  long discard(UUID id, Instant now) {
    return takeOut(id, now).place();
  }

  /** Lets its key go on without a dead letter. */
  void skip(UUID id, Instant now) {
    BlockedRow row = takeOut(id, now);
    keys.put(alone(row), BlockedLine.of(row, now));
  }

  private BlockedRow takeOut(UUID id, Instant now) {
    BlockedRow row = rows().filter(held -> held.id().equals(id)).findFirst().orElseThrow();
    BlockedLine key =
        keys.values().stream().filter(held -> held.has(row)).findFirst().orElseThrow();
    key.remove(row, now);
    if (key.isEmpty()) {
      keys.values().remove(key);
    }
    return row;
  }

  private void putBack(BlockedRow row, Instant now) {
    keys.computeIfAbsent(row.key(), key -> new BlockedLine(now)).replay(row, now);
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
