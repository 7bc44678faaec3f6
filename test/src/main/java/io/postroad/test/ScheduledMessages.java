package io.postroad.test;

import io.postroad.store.MessageStatus;
import io.postroad.store.StoredMessage;
import io.postroad.test.InMemoryTransaction.Staged;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

/** Messages of a lane that have no place yet. Guarded by the lock of the database. */
final class ScheduledMessages {
  private final TreeSet<Staged> messages =
      new TreeSet<>(Comparator.comparing(Staged::dueAt).thenComparingLong(Staged::place));

  void add(Staged message) {
    messages.add(message);
  }

  int count() {
    return messages.size();
  }

  Optional<Instant> nextDueAt() {
    return messages.isEmpty() ? Optional.empty() : Optional.of(messages.first().dueAt());
  }

  /** Takes those that are due out, the longest due first. */
  List<Staged> takeDue(int limit, Instant now) {
    List<Staged> due = new ArrayList<>();
    while (due.size() < limit && nextDueAt().filter(time -> !time.isAfter(now)).isPresent()) {
      due.add(messages.pollFirst());
    }
    return due;
  }

  Optional<StoredMessage> find(UUID id) {
    return messages.stream()
        .filter(message -> message.message().id().equals(id))
        .map(ScheduledMessages::stored)
        .findFirst();
  }

  private static StoredMessage stored(Staged message) {
    return new StoredMessage(
        message.message(),
        MessageStatus.PENDING,
        0,
        message.appendedAt(),
        message.dueAt(),
        Optional.empty(),
        Optional.empty());
  }
}
