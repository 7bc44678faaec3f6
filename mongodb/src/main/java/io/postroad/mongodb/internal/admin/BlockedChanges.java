package io.postroad.mongodb.internal.admin;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.log.BlockedDocument;
import io.postroad.mongodb.internal.log.BlockedLines;
import io.postroad.mongodb.internal.log.LogDocument;
import io.postroad.store.MessageStatus;
import io.postroad.store.OrderKey;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Changes dead letters of lanes for a decision. Each change returns those that it changed, as they
 * were, and notes the keys that they stood or stand in; the keys are dealt with afterwards.
 */
final class BlockedChanges {
  private final BlockedLines lines;
  private final MongoCollection<BsonDocument> held;
  private final MongoCollection<BsonDocument> log;

  BlockedChanges(Database database, BlockedLines lines) {
    this.lines = lines;
    this.held = database.callersCollection(Names.HELD);
    this.log = database.callersCollection(Names.LOG);
  }

  /** One decision in its transaction, and the keys that it touches. */
  static final class Turn {
    final ClientSession session;
    final BsonDateTime now;
    final Set<BsonDocument> opened = new LinkedHashSet<>();
    final Set<BsonValue> affected = new LinkedHashSet<>();

    Turn(ClientSession session, BsonDateTime now) {
      this.session = session;
      this.now = now;
    }
  }

  List<BsonDocument> sendAgain(Turn turn, List<BsonDocument> letters) {
    List<UpdateOneModel<BsonDocument>> updates = new ArrayList<>();
    for (BsonDocument letter : letters) {
      BsonDocument line = lineOf(letter);
      turn.opened.add(line);
      turn.affected.add(line);
      turn.affected.add(BlockedDocument.keyOf(letter));
      BsonDocument set =
          new BsonDocument(BlockedDocument.STATUS, BlockedDocument.status(MessageStatus.PENDING))
              .append(BlockedDocument.ATTEMPTS, new BsonInt32(0))
              .append(BlockedDocument.KEY, line);
      BsonDocument unset =
          new BsonDocument(BlockedDocument.SETTLED_AT, new BsonString(""))
              .append(BlockedDocument.SENT_BY, new BsonString(""));
      updates.add(
          new UpdateOneModel<>(
              byId(letter), new BsonDocument("$set", set).append("$unset", unset)));
    }
    if (!updates.isEmpty()) {
      held.bulkWrite(turn.session, updates);
    }
    return letters;
  }

  /** Back to the line it was taken out of, unless it still cannot be read. */
  private static BsonDocument lineOf(BsonDocument letter) {
    BsonDocument now = BlockedDocument.keyOf(letter);
    return BlockedDocument.isShared(now)
        ? now
        : DeadLetterDocument.message(letter, LogDocument.MESSAGE_ID)
            .map(message -> BlockedDocument.key(BlockedDocument.lane(letter), OrderKey.of(message)))
            .orElse(now);
  }

  void putInPlace(Turn turn, BsonDocument letter, Message replacement) {
    BsonDocument document = BlockedDocument.replacement(replacement, letter);
    held.replaceOne(turn.session, byId(letter), document);
    // Also where the lane would be read again from; there it may be purged already.
    log.replaceOne(
        turn.session,
        byId(letter),
        LogDocument.write(
            replacement,
            letter.getInt64(MessageDocument.ID),
            letter.getDateTime(MessageDocument.CREATED_AT)));
    turn.opened.add(BlockedDocument.keyOf(document));
    turn.affected.add(BlockedDocument.keyOf(document));
    turn.affected.add(BlockedDocument.keyOf(letter));
  }

  List<BsonDocument> remove(Turn turn, List<BsonDocument> letters) {
    if (!letters.isEmpty()) {
      letters.forEach(letter -> turn.affected.add(BlockedDocument.keyOf(letter)));
      List<BsonValue> ids = letters.stream().map(letter -> letter.get(MessageDocument.ID)).toList();
      held.deleteMany(turn.session, new BsonDocument(MessageDocument.ID, Bson.in(ids)));
      // Or it would look delivered, and be sent when the lane is read again.
      log.deleteMany(turn.session, new BsonDocument(MessageDocument.ID, Bson.in(ids)));
    }
    return letters;
  }

  List<BsonDocument> takeOutOfLine(Turn turn, List<BsonDocument> letters) {
    Set<BsonValue> parking = lines.parking(turn.session, letters);
    List<BsonDocument> heads =
        letters.stream()
            .filter(letter -> parking.contains(letter.get(MessageDocument.ID)))
            .toList();
    List<UpdateOneModel<BsonDocument>> updates = new ArrayList<>();
    for (BsonDocument letter : heads) {
      BsonDocument line = BlockedDocument.keyOf(letter);
      turn.affected.add(line);
      BsonDocument own =
          BlockedDocument.alone(
              BlockedDocument.lane(letter),
              BlockedDocument.orderKey(line).destination(),
              BlockedDocument.messageId(letter));
      updates.add(
          new UpdateOneModel<>(
              byId(letter), new BsonDocument("$set", new BsonDocument(BlockedDocument.KEY, own))));
    }
    if (!updates.isEmpty()) {
      held.bulkWrite(turn.session, updates);
    }
    return heads;
  }

  private static BsonDocument byId(BsonDocument document) {
    return new BsonDocument(MessageDocument.ID, document.get(MessageDocument.ID));
  }
}
