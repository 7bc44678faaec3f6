package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.spi.DeadLetterStore;
import io.postroad.spi.WakeUps;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The dead letters of a database in memory, as one node sees them. */
final class InMemoryDeadLetters implements DeadLetterStore {
  private static final Comparator<DeadLetter> IN_ORDER =
      Comparator.comparing(DeadLetter::diedAt).thenComparing(letter -> letter.id().toString());

  private final Database database;
  private final WakeUps wakeUps;

  InMemoryDeadLetters(Database database, WakeUps wakeUps) {
    this.database = database;
    this.wakeUps = wakeUps;
  }

  @Override
  public List<DeadLetter> list(
      DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    DeadLetterStore.checkLimit(limit);
    synchronized (database) {
      return database
          .deadLetters()
          .filter(letter -> matches(letter, filter))
          .filter(letter -> after.isEmpty() || isBehind(letter, after.get()))
          .sorted(IN_ORDER)
          .limit(limit)
          .toList();
    }
  }

  private static boolean isBehind(DeadLetter letter, DeadLetter.Mark mark) {
    int byTime = letter.diedAt().compareTo(mark.diedAt());
    return byTime == 0 ? letter.id().toString().compareTo(mark.id().toString()) > 0 : byTime > 0;
  }

  private static boolean matches(DeadLetter letter, DeadLetterFilter filter) {
    Message message = letter.message();
    return isOrAny(filter.destination(), message.destination())
        && isOrAny(filter.type(), message.type())
        && (filter.key().isEmpty() || filter.key().equals(message.key()))
        && letter.error().contains(filter.errorContains().orElse(""))
        && !letter.diedAt().isBefore(filter.diedFrom().orElse(Instant.MIN))
        && letter.diedAt().isBefore(filter.diedBefore().orElse(Instant.MAX));
  }

  private static boolean isOrAny(Optional<String> wanted, String actual) {
    return wanted.isEmpty() || wanted.get().equals(actual);
  }

  @Override
  public Optional<DeadLetter> find(UUID id) {
    synchronized (database) {
      return database.deadLetters().filter(letter -> letter.id().equals(id)).findFirst();
    }
  }

  @Override
  public Set<UUID> replay(Collection<UUID> ids, Decision decision) {
    return decide("replay", ids, decision, database::replay);
  }

  @Override
  public Set<UUID> discard(Collection<UUID> ids, Decision decision) {
    return decide("discard", ids, decision, database::discard);
  }

  /** Changes one dead letter. */
  @FunctionalInterface
  interface Deed {
    void doTo(DeadLetter letter);
  }

  /** One transaction: the deed and the audit of each that is a dead letter still. */
  Set<UUID> decide(String action, Collection<UUID> ids, Decision decision, Deed deed) {
    DeadLetterStore.checkIds(ids);
    Set<UUID> done = new HashSet<>();
    synchronized (database) {
      for (UUID id : new HashSet<>(ids)) {
        find(id)
            .ifPresent(
                letter -> {
                  deed.doTo(letter);
                  database.audit.write(database.now(), action, letter, decision, "");
                  done.add(id);
                });
      }
    }
    if (!done.isEmpty()) {
      wakeUps.signal();
    }
    return Set.copyOf(done);
  }

  @Override
  public boolean replace(UUID id, Message replacement, Decision decision) {
    synchronized (database) {
      Optional<DeadLetter> letter = find(id);
      if (letter.isEmpty()) {
        return false;
      }
      DeadLetterStore.checkReplacement(letter.get().message(), replacement);
      database.replace(letter.get(), replacement);
      database.audit.write(
          database.now(), "replace", letter.get(), decision, " replacement=" + replacement.id());
    }
    wakeUps.signal();
    return true;
  }

  @Override
  public List<AuditEntry> audit(Optional<String> subject, int limit) {
    DeadLetterStore.checkLimit(limit);
    synchronized (database) {
      return database.audit.latest(subject, limit);
    }
  }

  @Override
  public int purgeAudit(Instant before, int limit) {
    DeadLetterStore.checkLimit(limit);
    synchronized (database) {
      return database.audit.purge(before, limit);
    }
  }
}
