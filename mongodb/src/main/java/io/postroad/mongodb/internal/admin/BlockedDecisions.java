package io.postroad.mongodb.internal.admin;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.log.BlockedDocument;
import io.postroad.mongodb.internal.log.BlockedLines;
import io.postroad.mongodb.internal.log.LaneDecisions;
import io.postroad.mongodb.internal.log.LogDocument;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.Batches;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.Decision;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Carries out decisions about dead letters of lanes. One transaction for each batch: the lanes are
 * locked, the messages changed, the decision written down, the keys go on, the lanes' owners are
 * told.
 */
public final class BlockedDecisions {
  private static final String BYTES = "bytes";

  private final MongoTransactions transactions;
  private final LaneDecisions lanes;
  private final BlockedLines lines;
  private final BlockedChanges changes;
  private final AuditTrail audit;
  private final WakeUps wakeUps;
  private final MongoCollection<BsonDocument> held;
  private final MongoCollection<BsonDocument> keys;

  public BlockedDecisions(
      Database database,
      MongoTransactions transactions,
      LaneDecisions lanes,
      BlockedLines lines,
      AuditTrail audit,
      WakeUps wakeUps) {
    this.transactions = transactions;
    this.lanes = lanes;
    this.lines = lines;
    this.audit = audit;
    this.wakeUps = wakeUps;
    this.held = database.callersCollection(Names.HELD);
    this.keys = database.callersCollection(Names.HELD_KEY);
    this.changes = new BlockedChanges(database, lines);
  }

  private interface Change {
    /** Changes those of these dead letters that it can, and returns them as they were. */
    List<BsonDocument> make(BlockedChanges.Turn turn, List<BsonDocument> letters);
  }

  Set<UUID> replay(Set<UUID> ids, Decision decision) {
    return decide("replay", ids, decision, changes::sendAgain);
  }

  Set<UUID> discard(Set<UUID> ids, Decision decision) {
    return decide("discard", ids, decision, changes::remove);
  }

  public Set<UUID> skip(Set<UUID> ids, Decision decision) {
    return decide("skip", ids, decision, changes::takeOutOfLine);
  }

  /** Releases a key with the dead letter that blocks it. */
  public boolean release(int lane, OrderKey key, Decision decision) {
    BsonDocument parked =
        new BsonDocument(MessageDocument.ID, BlockedDocument.key(lane, key))
            .append(BlockedLines.PARKED_BY, new BsonDocument("$exists", BsonBoolean.TRUE));
    @Nullable BsonDocument found =
        Database.call("find parked key " + key, () -> keys.find(parked).first());
    if (found == null) {
      return false;
    }
    return !decide(
            "release",
            new TreeSet<>(Set.of(lane)),
            session -> {
              List<BsonDocument> letters = new ArrayList<>();
              for (BsonDocument row : keys.find(session, parked)) {
                BsonValue first = row.get(BlockedLines.PARKED_BY);
                held.find(session, dead().append(MessageDocument.ID, first)).into(letters);
              }
              return letters;
            },
            changes::sendAgain,
            decision,
            AuditEntry::about)
        .isEmpty();
  }

  /**
   * Puts a message in the place of a dead letter.
   *
   * @param check throws when it may not be
   */
  boolean replace(UUID id, Message replacement, Decision decision, Check check) {
    Change change =
        (turn, letters) -> {
          List<BsonDocument> first = letters.subList(0, Math.min(1, letters.size()));
          for (BsonDocument letter : first) {
            check.accept(turn.session, DeadLetterDocument.held(letter, false));
            changes.putInPlace(turn, letter, replacement);
          }
          return first;
        };
    return !decide(
            "replace",
            lanes(look(Set.of(id))),
            session -> find(session, Set.of(id)),
            change,
            decision,
            letter -> AuditEntry.about(letter) + " replacement=" + replacement.id())
        .isEmpty();
  }

  /** Whether a message may replace a dead letter. */
  interface Check {
    void accept(ClientSession session, DeadLetter letter);
  }

  /**
   * Decides about some dead letters: in one transaction, or where that would be too large in
   * several, in the order of their places.
   */
  private Set<UUID> decide(String action, Set<UUID> ids, Decision decision, Change change) {
    List<Letter> letters = look(ids);
    Set<UUID> changed = new LinkedHashSet<>();
    if (!letters.isEmpty()) {
      Batches.write(
          letters,
          Letter::bytes,
          MongoErrors::isTooLarge,
          (part, last) -> {
            Set<UUID> some = new HashSet<>();
            part.forEach(letter -> some.add(letter.id));
            changed.addAll(
                decide(
                    action,
                    lanes(part),
                    session -> find(session, some),
                    change,
                    decision,
                    AuditEntry::about));
          });
    }
    return changed;
  }

  private record Letter(UUID id, int lane, long bytes) {}

  private static SortedSet<Integer> lanes(List<Letter> letters) {
    SortedSet<Integer> found = new TreeSet<>();
    letters.forEach(letter -> found.add(letter.lane));
    return found;
  }

  /** Looks before the transaction: a message never changes its lane. In the order of places. */
  private List<Letter> look(Set<UUID> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    List<BsonDocument> found =
        Database.call(
            "find dead letters",
            () ->
                held.find(dead(ids))
                    .projection(
                        new BsonDocument(LogDocument.MESSAGE_ID, new BsonInt32(1))
                            .append(BYTES, Bson.SIZE))
                    .into(new ArrayList<>()));
    return found.stream()
        .sorted(Comparator.comparing(document -> document.getInt64(MessageDocument.ID)))
        .map(
            document ->
                new Letter(
                    BlockedDocument.messageId(document),
                    BlockedDocument.lane(document),
                    document.getNumber(BYTES).longValue()))
        .toList();
  }

  private List<BsonDocument> find(ClientSession session, Set<UUID> ids) {
    return held.find(session, dead(ids)).into(new ArrayList<>());
  }

  private Set<UUID> decide(
      String action,
      SortedSet<Integer> ofLanes,
      Function<ClientSession, List<BsonDocument>> find,
      Change change,
      Decision decision,
      Function<DeadLetter, String> detail) {
    if (ofLanes.isEmpty()) {
      return Set.of();
    }
    Set<UUID> changed =
        transactions.transact(
            action + " dead letters",
            session -> {
              BlockedChanges.Turn turn =
                  new BlockedChanges.Turn(session, lanes.lock(session, ofLanes));
              List<BsonDocument> letters = find.apply(session);
              // One that died in another lane since the look is not locked.
              letters.removeIf(letter -> !ofLanes.contains(BlockedDocument.lane(letter)));
              List<BsonDocument> decided = change.make(turn, letters);
              if (!decided.isEmpty()) {
                goOn(turn, decided);
                audit.write(session, turn.now, action, decision, letters(decided), detail);
                lanes.raise(
                    session, decided.stream().map(BlockedDocument::lane).distinct().toList());
              }
              Set<UUID> ids = new LinkedHashSet<>();
              decided.forEach(letter -> ids.add(BlockedDocument.messageId(letter)));
              return ids;
            });
    if (!changed.isEmpty()) {
      wakeUps.signal();
    }
    return changed;
  }

  private static List<DeadLetter> letters(List<BsonDocument> documents) {
    return documents.stream().map(letter -> DeadLetterDocument.held(letter, false)).toList();
  }

  /** A key that was parked, or that begins with one of these messages now, is due at once. */
  private void goOn(BlockedChanges.Turn turn, List<BsonDocument> decided) {
    Set<BsonValue> again = new HashSet<>();
    decided.forEach(letter -> again.add(letter.get(MessageDocument.ID)));
    lines.open(turn.session, turn.opened, turn.now);
    lines.decide(
        turn.session,
        turn.affected,
        (key, first) ->
            key.getBoolean(BlockedLines.PARKED).getValue()
                    || again.contains(first.get(MessageDocument.ID))
                ? Optional.of(BlockedLines.dueAt(turn.now))
                : Optional.empty());
  }

  static BsonDocument dead() {
    return new BsonDocument(BlockedDocument.STATUS, BlockedDocument.status(MessageStatus.FAILED));
  }

  static BsonDocument dead(Set<UUID> ids) {
    return dead()
        .append(LogDocument.MESSAGE_ID, Bson.in(ids.stream().map(MessageDocument::id).toList()));
  }
}
