package io.postroad.test;

import io.postroad.spi.Settlement;
import io.postroad.store.BlockedDestination;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Instant;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A blocked key with its messages, in the order of their places. A dead letter at their head waits
 * for an operator. Guarded by the lock of its {@link Database}.
 */
final class BlockedLine {
  private final NavigableMap<Long, BlockedRow> rows = new TreeMap<>();
  private Instant dueAt;
  private @Nullable Instant asideSince;

  BlockedLine(Instant dueAt) {
    this.dueAt = dueAt;
  }

  /** The key of a message that was held back; the first one decides. */
  static BlockedLine after(Settlement settlement, Instant now) {
    BlockedLine key = new BlockedLine(now);
    key.waitAfter(settlement, now);
    return key;
  }

  private void waitAfter(Settlement settlement, Instant now) {
    if (settlement instanceof Settlement.Blocked) {
      asideSince = now;
      dueAt = BlockedDestination.DUE_AT;
    } else {
      due(now.plus(settlement.delay()));
    }
  }

  private void due(Instant at) {
    asideSince = null;
    dueAt = at;
  }

  /** Since when it waits for its destination. */
  Optional<Instant> asideSince() {
    return isParked() ? Optional.empty() : Optional.ofNullable(asideSince);
  }

  void open(Instant now) {
    due(now);
  }

  static BlockedLine of(BlockedRow row, Instant dueAt) {
    BlockedLine key = new BlockedLine(dueAt);
    key.hold(row);
    return key;
  }

  Optional<BlockedRow> at(long place) {
    return Optional.ofNullable(rows.get(place));
  }

  Instant dueAt() {
    return dueAt;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  Collection<BlockedRow> rows() {
    return rows.values();
  }

  Optional<StoredMessage> find(UUID id) {
    return rows.values().stream()
        .filter(row -> row.id().equals(id))
        .map(row -> row.stored(dueAt))
        .findFirst();
  }

  /** Holds one more back; one that is held already stays as it is. */
  void hold(BlockedRow row) {
    rows.putIfAbsent(row.place(), row);
  }

  /** Removes a message; the message that is first then is due. */
  void remove(BlockedRow row, Instant now) {
    rows.remove(row.place());
    due(now);
  }

  /** Has one of them sent, or another in its place, when its turn comes; the first is due now. */
  void replay(BlockedRow row, Instant now) {
    rows.put(row.place(), row);
    due(now);
  }

  boolean has(BlockedRow row) {
    return rows.get(row.place()) == row;
  }

  BlockedRow first() {
    return rows.firstEntry().getValue();
  }

  boolean isParked() {
    return first().isDead();
  }

  boolean isDue(Instant now) {
    return !isParked() && !dueAt.isAfter(now);
  }

  /** The first one and its followers up to a dead one. */
  Stream<BlockedRow> ready() {
    return rows.values().stream().takeWhile(row -> !row.isDead());
  }

  /** Settles one of them; when it stays and is the first, it decides when the key is due. */
  void settle(Settlement settlement, Instant now) {
    long place = settlement.claim().token();
    BlockedRow row = rows.get(place);
    if (row == null || !row.isTaken()) {
      return;
    }
    if (settlement.status() == MessageStatus.DISPATCHED) {
      rows.remove(place);
      return;
    }
    row.settle(settlement, now);
    if (rows.firstKey() == place) {
      waitAfter(settlement, now);
    }
  }
}
