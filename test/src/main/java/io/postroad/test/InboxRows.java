package io.postroad.test;

import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore.Entered;
import io.postroad.spi.InboxWaiting;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Which messages handlers have, and which wait in retry lines. Guarded by its database's lock. */
final class InboxRows {
  private final Database database;
  private final Map<Id, Instant> entered = new LinkedHashMap<>();
  private final TreeMap<UUID, InboxWaiting> waiting = new TreeMap<>();

  private record Id(String messageId, String handler) {
    static Id of(InboxEntry entry) {
      return new Id(entry.messageId(), entry.handler());
    }
  }

  InboxRows(Database database) {
    this.database = database;
  }

  Entered enter(InMemoryTransaction transaction, InboxEntry entry) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      Id id = Id.of(entry);
      String lock = "inbox entry " + id;
      boolean twiceInOne = !database.locks.takeFirst(transaction, lock);
      if (twiceInOne || entered.containsKey(id)) {
        return Entered.DUPLICATE;
      }
      transaction.atCommit(() -> entered.put(id, database.now()));
      return hasWaiting(entry) ? Entered.BEHIND : Entered.NEW;
    }
  }

  Entered look(InboxEntry entry) {
    synchronized (database) {
      if (entered.containsKey(Id.of(entry))) {
        return Entered.DUPLICATE;
      }
      return hasWaiting(entry) ? Entered.BEHIND : Entered.NEW;
    }
  }

  private boolean hasWaiting(InboxEntry entry) {
    return entry.key().isPresent()
        && waiting.values().stream()
            .anyMatch(
                row -> row.order().equals(entry.order()) && row.key().equals(entry.key().get()));
  }

  void waits(InMemoryTransaction transaction, InboxEntry entry, String key, UUID retryId) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      InboxWaiting row = new InboxWaiting(retryId, entry.order(), key, database.now());
      transaction.atCommit(() -> waiting.put(retryId, row));
    }
  }

  void left(InMemoryTransaction transaction, UUID retryId) {
    synchronized (database) {
      transaction.requireOpenIn(database);
      transaction.atCommit(() -> waiting.remove(retryId));
    }
  }

  List<InboxWaiting> waiting(Instant before, Optional<UUID> after, int limit) {
    synchronized (database) {
      return after.map(id -> waiting.tailMap(id, false)).orElse(waiting).values().stream()
          .filter(row -> row.since().isBefore(before))
          .limit(limit)
          .toList();
    }
  }

  int purge(Instant before, int limit) {
    synchronized (database) {
      List<Id> old =
          entered.entrySet().stream()
              .filter(row -> row.getValue().isBefore(before))
              .limit(limit)
              .map(Map.Entry::getKey)
              .toList();
      old.forEach(entered::remove);
      return old.size();
    }
  }
}
