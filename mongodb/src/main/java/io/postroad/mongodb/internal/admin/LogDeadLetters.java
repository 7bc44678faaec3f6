package io.postroad.mongodb.internal.admin;

import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.mongodb.internal.log.BlockedLines;
import io.postroad.mongodb.internal.log.LogDocument;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The dead letters of the ordered store. They stay among the held messages, at their places. */
public final class LogDeadLetters implements DeadLetterStore {
  private static final String BY_DEATH = "outbox_held_status_idx";

  private final Snapshots snapshots;
  private final BlockedLines lines;
  private final BlockedDecisions decisions;
  private final AuditTrail audit;
  private final LogInspector inspector;
  private final MongoCollection<BsonDocument> held;

  public LogDeadLetters(
      Database database,
      Snapshots snapshots,
      BlockedLines lines,
      BlockedDecisions decisions,
      AuditTrail audit,
      LogInspector inspector) {
    this.snapshots = snapshots;
    this.lines = lines;
    this.decisions = decisions;
    this.audit = audit;
    this.inspector = inspector;
    this.held = database.callersCollection(Names.HELD);
  }

  @Override
  public List<DeadLetter> list(
      DeadLetterFilter filter, Optional<DeadLetter.Mark> after, int limit) {
    DeadLetterStore.checkLimit(limit);
    BsonDocument which =
        DeadLetterQuery.narrowed(BlockedDecisions.dead(), filter, after, LogDocument.MESSAGE_ID);
    return snapshots.read(
        "list dead letters",
        session ->
            letters(
                session,
                held.find(session, which)
                    .sort(DeadLetterQuery.order(DeadLetterDocument.DIED_AT, LogDocument.MESSAGE_ID))
                    .hintString(BY_DEATH)
                    .limit(limit)));
  }

  @Override
  public Optional<DeadLetter> find(UUID id) {
    return snapshots
        .read(
            "find dead letter " + id,
            session -> letters(session, held.find(session, BlockedDecisions.dead(Set.of(id)))))
        .stream()
        .findFirst();
  }

  private List<DeadLetter> letters(ClientSession session, FindIterable<BsonDocument> documents) {
    List<BsonDocument> found = documents.into(new ArrayList<>());
    Set<BsonValue> parking = lines.parking(session, found);
    return found.stream()
        .map(
            letter ->
                DeadLetterDocument.held(letter, parking.contains(letter.get(MessageDocument.ID))))
        .toList();
  }

  @Override
  public Set<UUID> replay(Collection<UUID> ids, Decision decision) {
    return decisions.replay(DeadLetterQuery.distinct(ids), decision);
  }

  @Override
  public boolean replace(UUID id, Message replacement, Decision decision) {
    return decisions.replace(
        id,
        replacement,
        decision,
        (session, letter) -> {
          DeadLetterStore.checkReplacement(letter.message(), replacement);
          if (inspector.knows(session, replacement.id())) {
            throw DeadLetterQuery.idIsTaken(id, replacement);
          }
        });
  }

  @Override
  public Set<UUID> discard(Collection<UUID> ids, Decision decision) {
    return decisions.discard(DeadLetterQuery.distinct(ids), decision);
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
