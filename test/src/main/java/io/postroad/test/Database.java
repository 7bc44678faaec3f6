package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.store.AppendResult;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.DeadLetter;
import io.postroad.store.Finding;
import io.postroad.store.Pause;
import io.postroad.store.PurgeResult;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data that a store in memory and its other nodes share: what both kinds of stores have in
 * common is here, transactions and deduplication. Every verb is one critical section; only those
 * that join a transaction may wait in it, for another transaction.
 */
abstract sealed class Database permits CompetingDatabase, OrderedDatabase {
  final NameLocks locks = new NameLocks(this);
  final Audit audit = new Audit();
  final InboxRows inbox = new InboxRows(this);
  final CommandRows commands = new CommandRows(this);
  final ProcessRows processes = new ProcessRows(this);
  final DefinitionRows definitions = new DefinitionRows(this);
  final SortedMap<String, Pause> pauses = new TreeMap<>();
  private final InstantSource clock;
  private final Map<String, KeyUse> keys = new HashMap<>();
  private long places;

  Database(InstantSource clock) {
    this.clock = clock;
  }

  final Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** The next number of a sequence; as in a database, a rollback gives none back. */
  final long nextPlace() {
    return ++places;
  }

  final synchronized List<AppendResult> append(
      InMemoryTransaction transaction, List<Message> messages, Duration deduplicateFor) {
    transaction.requireOpenIn(this);
    Set<UUID> inThisCall = new HashSet<>();
    List<AppendResult> results = new ArrayList<>(messages.size());
    for (Message message : messages) {
      results.add(append(transaction, message, deduplicateFor, inThisCall));
    }
    return List.copyOf(results);
  }

  private AppendResult append(
      InMemoryTransaction transaction,
      Message message,
      Duration deduplicateFor,
      Set<UUID> inThisCall) {
    Optional<String> key = message.deduplicationKey();
    if (key.isPresent()) {
      locks.take(transaction, "key " + key.get());
      KeyUse use = usedKey(transaction, key.get());
      if (use != null && use.until().isAfter(now())) {
        return new AppendResult.Duplicate(use.first());
      }
    }
    if (!inThisCall.add(message.id()) || isStored(transaction, message.id())) {
      transaction.fail();
      throw new PostroadException(
          "cannot append message %s: its id is stored already; give each message an id of its own"
              .formatted(message.id()));
    }
    Instant now = now();
    key.ifPresent(
        used -> transaction.stageKey(used, new KeyUse(message.id(), now.plus(deduplicateFor))));
    InMemoryTransaction.Staged staged = new InMemoryTransaction.Staged(message, nextPlace(), now);
    transaction.stage(staged);
    staged(staged);
    return new AppendResult.Appended(message.id());
  }

  private @Nullable KeyUse usedKey(InMemoryTransaction transaction, String key) {
    KeyUse own = transaction.stagedKey(key);
    return own == null ? keys.get(key) : own;
  }

  /** Makes staged messages visible and wakes the transactions that waited for this one. */
  final synchronized void commit(InMemoryTransaction transaction) {
    committed(transaction.stagedMessages());
    keys.putAll(transaction.stagedKeys());
    transaction.runChanges();
    locks.releaseAll(transaction);
  }

  final synchronized void rollback(InMemoryTransaction transaction) {
    rolledBack(transaction.stagedMessages());
    locks.releaseAll(transaction);
  }

  final synchronized PurgeResult purge(Duration olderThan, int limit) {
    int removed = purgeMessages(now().minus(olderThan), limit);
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

  /** Whether this kind of store refuses the id; it may wait for another transaction to know. */
  abstract boolean isStored(InMemoryTransaction transaction, UUID id);

  abstract void staged(InMemoryTransaction.Staged message);

  abstract void committed(List<InMemoryTransaction.Staged> messages);

  abstract void rolledBack(List<InMemoryTransaction.Staged> messages);

  /** Removes at most {@code limit} delivered messages and says how many. */
  abstract int purgeMessages(Instant before, int limit);

  abstract Optional<StoredMessage> find(UUID id);

  abstract Backlog backlog();

  /** A message that waits for its destination. */
  record Waiting(String destination, Instant since) {}

  /** All of them. */
  abstract Stream<Waiting> waitingForDestinations();

  final synchronized List<BlockedDestination> blocked() {
    Instant now = now();
    Map<String, List<Waiting>> byDestination =
        waitingForDestinations()
            .collect(
                Collectors.groupingBy(Waiting::destination, TreeMap::new, Collectors.toList()));
    return byDestination.entrySet().stream()
        .map(
            waiting ->
                new BlockedDestination(
                    waiting.getKey(),
                    Math.min(waiting.getValue().size(), Backlog.COUNT_LIMIT),
                    Duration.between(
                        waiting.getValue().stream()
                            .map(Waiting::since)
                            .min(Comparator.naturalOrder())
                            .orElse(now),
                        now)))
        .toList();
  }

  /** Finds leases that expired and that no node has taken again. */
  abstract List<Finding> examine();

  abstract Stream<DeadLetter> deadLetters();

  /** Has a dead letter sent again, with all its attempts, in its place. */
  abstract void replay(DeadLetter letter);

  /** Puts another message in the place of a dead letter and has it sent. */
  abstract void replace(DeadLetter letter, Message replacement);

  /** Forgets a dead letter. */
  abstract void discard(DeadLetter letter);

  /** The first message with a deduplication key, and the end of its window. */
  record KeyUse(UUID first, Instant until) {}
}
