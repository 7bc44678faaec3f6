package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.spi.StoreFindings;
import io.postroad.store.Backlog;
import io.postroad.store.DeadLetter;
import io.postroad.store.Finding;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Messages that are claimed one by one. */
final class CompetingDatabase extends Database {
  private final Map<UUID, Row> rows = new HashMap<>();
  private final TreeSet<Row> waiting = new TreeSet<>(Row.BY_DUE_TIME);
  private final Deque<Row> delivered = new ArrayDeque<>();
  private long dead;

  CompetingDatabase(InstantSource clock) {
    super(clock);
  }

  @Override
  boolean isStored(InMemoryTransaction transaction, UUID id) {
    locks.take(transaction, "id " + id);
    return rows.containsKey(id) || transaction.hasStaged(id);
  }

  @Override
  void staged(InMemoryTransaction.Staged message) {}

  @Override
  void committed(List<InMemoryTransaction.Staged> messages) {
    for (InMemoryTransaction.Staged staged : messages) {
      Row row = new Row(staged);
      rows.put(row.id(), row);
      waiting.add(row);
    }
  }

  @Override
  void rolledBack(List<InMemoryTransaction.Staged> messages) {}

  synchronized List<Claim> claim(ClaimRequest request) {
    Instant now = now();
    List<Row> due = new ArrayList<>();
    for (Iterator<Row> next = waiting.iterator();
        next.hasNext() && due.size() < request.limit(); ) {
      Row row = next.next();
      if (!row.isDue(now)) {
        break;
      }
      if (!isBeingSettled(row.id())
          && request.destination().map(row.destination()::equals).orElse(true)) {
        due.add(row);
      }
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
      if (row != null && row.isHeldBy(claim) && !isBeingSettled(row.id())) {
        waiting.remove(row);
        row.leaseUntil(until);
        waiting.add(row);
        held.add(claim.id());
      }
    }
    return Set.copyOf(held);
  }

  synchronized boolean extend(InMemoryTransaction transaction, Claim claim, Duration leaseFor) {
    transaction.requireOpenIn(this);
    locks.take(transaction, settling(claim.id()));
    Row row = rows.get(claim.id());
    if (row == null || !row.isHeldBy(claim)) {
      return false;
    }
    Instant until = now().plus(leaseFor);
    transaction.atCommit(
        () -> {
          if (row.isHeldBy(claim)) {
            waiting.remove(row);
            row.leaseUntil(until);
            waiting.add(row);
          }
        });
    return true;
  }

  synchronized Set<UUID> settle(List<Settlement> settlements) {
    Set<UUID> rejected = new HashSet<>();
    for (Settlement settlement : settlements) {
      Row row = rows.get(settlement.claim().id());
      if (row != null && row.isHeldBy(settlement.claim()) && !isBeingSettled(row.id())) {
        settle(row, settlement);
      } else {
        rejected.add(settlement.claim().id());
      }
    }
    return Set.copyOf(rejected);
  }

  synchronized boolean settle(InMemoryTransaction transaction, Settlement settlement) {
    transaction.requireOpenIn(this);
    Claim claim = settlement.claim();
    locks.take(transaction, settling(claim.id()));
    Row row = rows.get(claim.id());
    if (row == null || !row.isHeldBy(claim) || transaction.hasSettled(claim.id())) {
      return false;
    }
    transaction.settles(claim.id());
    transaction.atCommit(() -> settle(row, settlement));
    return true;
  }

  private void settle(Row row, Settlement settlement) {
    waiting.remove(row);
    row.settle(settlement, now());
    file(row, settlement.status());
  }

  /** By a transaction that has not ended: as a row that is locked. */
  private boolean isBeingSettled(UUID id) {
    return locks.isTaken(settling(id));
  }

  private static String settling(UUID id) {
    return "settlement of " + id;
  }

  private void file(Row row, MessageStatus status) {
    switch (status) {
      case PENDING, PROCESSING -> waiting.add(row);
      case DISPATCHED -> delivered.add(row);
      case FAILED -> dead++;
    }
  }

  @Override
  Stream<Waiting> waitingForDestinations() {
    return waiting.stream()
        .flatMap(
            row -> row.asideSince().map(since -> new Waiting(row.destination(), since)).stream());
  }

  synchronized int open(String destination, int limit) {
    List<Row> opened =
        waiting.stream()
            .filter(row -> row.asideSince().isPresent() && row.destination().equals(destination))
            .sorted(Comparator.comparing(row -> row.asideSince().orElseThrow()))
            .limit(limit)
            .toList();
    for (Row row : opened) {
      waiting.remove(row);
      row.open(now());
      waiting.add(row);
    }
    return opened.size();
  }

  @Override
  int purgeMessages(Instant before, int limit) {
    int removed = 0;
    for (Row oldest = delivered.peek();
        oldest != null && removed < limit && oldest.isDeliveredBy(before);
        oldest = delivered.peek()) {
      delivered.remove();
      rows.remove(oldest.id());
      removed++;
    }
    return removed;
  }

  @Override
  synchronized List<Finding> examine() {
    Instant now = now();
    Map<String, Long> expired =
        waiting.stream()
            .takeWhile(row -> row.isDue(now))
            .flatMap(row -> row.expiredOwner(now).stream())
            .collect(Collectors.groupingBy(owner -> owner, TreeMap::new, Collectors.counting()));
    return expired.entrySet().stream()
        .map(owner -> StoreFindings.expiredLeases(owner.getKey(), owner.getValue()))
        .toList();
  }

  @Override
  Stream<DeadLetter> deadLetters() {
    return rows.values().stream().flatMap(row -> row.deadLetter().stream());
  }

  @Override
  void replay(DeadLetter letter) {
    Row row = Objects.requireNonNull(rows.get(letter.id()));
    row.replay(now());
    dead--;
    waiting.add(row);
  }

  @Override
  void replace(DeadLetter letter, Message replacement) {
    if (rows.containsKey(replacement.id())) {
      throw new PostroadException(
          "cannot replace dead letter %s by %s: a message of that id is stored; nothing was changed"
              .formatted(letter.id(), replacement.id()));
    }
    Row old = Objects.requireNonNull(rows.get(letter.id()));
    discard(letter);
    Row row = old.replacedBy(replacement, now());
    rows.put(row.id(), row);
    waiting.add(row);
  }

  @Override
  void discard(DeadLetter letter) {
    rows.remove(letter.id());
    dead--;
  }

  @Override
  synchronized Optional<StoredMessage> find(UUID id) {
    return Optional.ofNullable(rows.get(id)).map(row -> row.stored(now()));
  }

  @Override
  synchronized Backlog backlog() {
    Instant now = now();
    Duration lag =
        waiting.isEmpty() || !waiting.first().isDue(now)
            ? Duration.ZERO
            : Duration.between(waiting.first().dueAt(), now);
    return new Backlog(
        Math.min(waiting.size(), Backlog.COUNT_LIMIT), Math.min(dead, Backlog.COUNT_LIMIT), lag);
  }
}
