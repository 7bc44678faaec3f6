package io.postroad.postgres.internal.admin;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The dead letters of either store: checks, then one decision carried out on its table. */
public final class DeadLetters implements DeadLetterStore {
  private final DeadLetterReader reader;
  private final DeadLetterTable table;
  private final Decisions decisions;
  private final Audit audit;

  public DeadLetters(
      DeadLetterReader reader, DeadLetterTable table, Decisions decisions, Audit audit) {
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
    DeadLetterStore.checkIds(ids);
    if (ids.isEmpty()) {
      return Set.of();
    }
    List<UUID> wanted = List.copyOf(ids);
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
    String note = " replacement=" + replacement.id();
    Set<UUID> replaced =
        decisions.carryOut(
            new Decisions.Verb("replace", decision, note),
            connection -> {
              List<StoredLetter> letters =
                  table.lock(connection, List.of(id)).stream().limit(1).toList();
              for (StoredLetter letter : letters) {
                DeadLetterStore.checkReplacement(letter.letter().message(), replacement);
                requireNew(connection, letter, replacement);
                table.replace(connection, letter, replacement);
              }
              return letters;
            });
    return !replaced.isEmpty();
  }

  private void requireNew(Connection connection, StoredLetter stored, Message replacement)
      throws SQLException {
    if (table.isStored(connection, replacement.id())) {
      throw new PostroadException(
          "message %s cannot replace dead letter %s: its id is stored already; nothing was changed,"
                  .formatted(replacement.id(), stored.letter().id())
              + " give the replacement an id of its own");
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
