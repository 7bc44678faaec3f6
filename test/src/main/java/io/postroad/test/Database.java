package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.Claim;
import io.postroad.store.ClaimRequest;
import io.postroad.store.MessageStatus;
import io.postroad.store.PurgeResult;
import io.postroad.store.Settlement;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The data that the stores of one {@link InMemoryCompetingStore} and its other nodes share. Every
 * verb is one critical section; only {@link #append} may wait in it, for another transaction's key.
 */
final class Database {
  private final InstantSource clock;
  private final Map<UUID, Row> rows = new HashMap<>();
  private final TreeSet<Row> waiting = new TreeSet<>(Row.BY_DUE_TIME);
  private final Deque<Row> delivered = new ArrayDeque<>();
  private final Map<String, KeyUse> keys = new HashMap<>();
  private final NameLocks locks = new NameLocks(this);
  private long dead;
  private long sequence;

  Database(InstantSource clock) {
    this.clock = clock;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  synchronized List<AppendResult> append(
      InMemoryTransaction transaction, List<Message> messages, Duration deduplicateFor) {
    transaction.requireOpenIn(this);
    List<AppendResult> results = new ArrayList<>(messages.size());
    for (Message message : messages) {
      results.add(append(transaction, message, deduplicateFor));
    }
    return List.copyOf(results);
  }

  private AppendResult append(
      InMemoryTransaction transaction, Message message, Duration deduplicateFor) {
    Optional<String> key = message.deduplicationKey();
    if (key.isPresent()) {
      locks.take(transaction, "key " + key.get());
      KeyUse use = usedKey(transaction, key.get());
      if (use != null && use.until().isAfter(now())) {
        return new AppendResult.Duplicate(use.first());
      }
    }
    locks.take(transaction, "id " + message.id());
    if (rows.containsKey(message.id()) || transaction.hasStaged(message.id())) {
      transaction.fail();
      throw new PostroadException(
          "cannot append message %s: its id is stored already; give each message an id of its own"
              .formatted(message.id()));
    }
    Instant now = now();
    key.ifPresent(
        used -> transaction.stageKey(used, new KeyUse(message.id(), now.plus(deduplicateFor))));
    transaction.stage(message, now);
    return new AppendResult.Appended(message.id());
  }

  private @Nullable KeyUse usedKey(InMemoryTransaction transaction, String key) {
    KeyUse own = transaction.stagedKey(key);
    return own == null ? keys.get(key) : own;
  }

  /** Makes what a transaction staged visible and lets those go on who waited for it. */
  synchronized void commit(InMemoryTransaction transaction) {
    for (InMemoryTransaction.Staged staged : transaction.stagedMessages()) {
      Row row = new Row(staged.message(), sequence++, staged.appendedAt());
      rows.put(row.id(), row);
      waiting.add(row);
    }
    keys.putAll(transaction.stagedKeys());
    locks.releaseAll(transaction);
  }

  synchronized void rollback(InMemoryTransaction transaction) {
    locks.releaseAll(transaction);
  }

  synchronized List<Claim> claim(ClaimRequest request) {
    Instant now = now();
    List<Row> due = new ArrayList<>();
    for (Iterator<Row> next = waiting.iterator();
        next.hasNext() && due.size() < request.limit(); ) {
      Row row = next.next();
      if (!row.isDue(now)) {
        break;
      }
      due.add(row);
    }
    List<Claim> claims = new ArrayList<>(due.size());
    for (Row row : due) {
      waiting.remove(row);
      claims.add(row.claim(request, now));
      waiting.add(row);
    }
    return List.copyOf(claims);
  }

  synchronized Set<UUID> extend(Collection<Claim> claims, Duration leaseFor) {
    Instant until = now().plus(leaseFor);
    Set<UUID> held = new HashSet<>();
    for (Claim claim : claims) {
      Row row = rows.get(claim.id());
      if (row != null && row.isHeldBy(claim)) {
        waiting.remove(row);
        row.leaseUntil(until);
        waiting.add(row);
        held.add(claim.id());
      }
    }
    return Set.copyOf(held);
  }

  synchronized Set<UUID> settle(List<Settlement> settlements) {
    Instant now = now();
    Set<UUID> rejected = new HashSet<>();
    for (Settlement settlement : settlements) {
      Row row = rows.get(settlement.claim().id());
      if (row != null && row.isHeldBy(settlement.claim())) {
        waiting.remove(row);
        row.settle(settlement, now);
        file(row, settlement.status());
      } else {
        rejected.add(settlement.claim().id());
      }
    }
    return Set.copyOf(rejected);
  }

  private void file(Row row, MessageStatus status) {
    switch (status) {
      case PENDING, PROCESSING -> waiting.add(row);
      case DISPATCHED -> delivered.add(row);
      case FAILED -> dead++;
    }
  }

  synchronized PurgeResult purge(Duration olderThan, int limit) {
    Instant before = now().minus(olderThan);
    int removed = 0;
    for (Row oldest = delivered.peek();
        oldest != null && removed < limit && oldest.isDeliveredBy(before);
        oldest = delivered.peek()) {
      delivered.remove();
      rows.remove(oldest.id());
      removed++;
    }
    purgeKeys(limit);
    return PurgeResult.removed(removed, removed == limit);
  }

  private void purgeKeys(int limit) {
    Instant now = now();
    int left = limit;
    for (Iterator<KeyUse> uses = keys.values().iterator(); uses.hasNext() && left > 0; ) {
      if (!uses.next().until().isAfter(now)) {
        uses.remove();
        left--;
      }
    }
  }

  synchronized Optional<StoredMessage> find(UUID id) {
    return Optional.ofNullable(rows.get(id)).map(row -> row.stored(now()));
  }

  synchronized Backlog backlog() {
    Instant now = now();
    Duration lag =
        waiting.isEmpty() || !waiting.first().isDue(now)
            ? Duration.ZERO
            : Duration.between(waiting.first().dueAt(), now);
    return new Backlog(
        Math.min(waiting.size(), Backlog.COUNT_LIMIT), Math.min(dead, Backlog.COUNT_LIMIT), lag);
  }

  /** Who used a deduplication key first, and until when that is remembered. */
  record KeyUse(UUID first, Instant until) {}
}
