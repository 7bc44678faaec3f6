package io.postroad.postgres;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.DeadLetterStore;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The dead letters of either store: checks, then one decision carried out on its table. */
final class DeadLetters implements DeadLetterStore {
  private final DeadLetterReader reader;
  private final DeadLetterTable table;
  private final Decisions decisions;
  private final Audit audit;

  DeadLetters(DeadLetterReader reader, DeadLetterTable table, Decisions decisions, Audit audit) {
    this.reader = reader;
    this.table = table;
    this.decisions = decisions;
    this.audit = audit;
  }

  @Override
  public List<DeadLetter> list(
      DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    return reader.list(filter, after, limit);
  }

  @Override
  public Optional<DeadLetter> find(UUID id) {
    return reader.find(id);
  }

  @Override
  public Set<UUID> replay(Collection<UUID> ids, Decision decision) {
    return decide("replay", ids, decision, table::replay);
  }

  @Override
  public Set<UUID> discard(Collection<UUID> ids, Decision decision) {
    return decide("discard", ids, decision, table::discard);
  }

  private interface Change {
    void make(Connection transaction, List<StoredLetter> letters) throws SQLException;
  }

  private Set<UUID> decide(String action, Collection<UUID> ids, Decision decision, Change change) {
    List<UUID> wanted = Bounds.ids(action, ids);
    if (wanted.isEmpty()) {
      return Set.of();
    }
    return decisions.carryOut(
        new Decisions.Verb(action, decision),
        connection -> {
          List<StoredLetter> letters = table.lock(connection, wanted);
          if (!letters.isEmpty()) {
            change.make(connection, letters);
          }
          return letters;
        });
  }

  @Override
  public boolean replace(UUID id, Message replacement, Decision decision) {
    if (replacement.notBefore().isPresent()) {
      throw new IllegalArgumentException(
          "message %s cannot replace dead letter %s: it is scheduled; leave notBefore out"
              .formatted(replacement.id(), id));
    }
    String note = " replacement=" + replacement.id();
    Set<UUID> replaced =
        decisions.carryOut(
            new Decisions.Verb("replace", decision, note),
            connection -> {
              List<StoredLetter> letters =
                  table.lock(connection, List.of(id)).stream().limit(1).toList();
              for (StoredLetter letter : letters) {
                requireSameKey(letter, replacement);
                requireNew(connection, letter, replacement);
                table.replace(connection, letter, replacement);
              }
              return letters;
            });
    return !replaced.isEmpty();
  }

  private static void requireSameKey(StoredLetter stored, Message replacement) {
    if (!stored.destination().equals(replacement.destination())
        || !Objects.equals(stored.key(), replacement.key().orElse(null))) {
      throw new IllegalArgumentException(
          "message %s cannot replace dead letter %s: its key is %s, that of the dead letter is %s;"
                  .formatted(
                      replacement.id(),
                      stored.letter().id(),
                      OrderKey.of(replacement),
                      stored.realKey())
              + " give it the same destination and key, or discard the dead letter and append it");
    }
  }

  private void requireNew(Connection connection, StoredLetter stored, Message replacement)
      throws SQLException {
    if (table.isStored(connection, replacement.id())) {
      throw new PostroadException(
          "message %s cannot replace dead letter %s: its id is stored already; give it a new one"
              .formatted(replacement.id(), stored.letter().id()));
    }
  }

  @Override
  public List<AuditEntry> audit(Optional<String> subject, int limit) {
    return audit.read(subject, limit);
  }

  @Override
  public int purgeAudit(Instant before, int limit) {
    return audit.purge(before, limit);
  }
}
