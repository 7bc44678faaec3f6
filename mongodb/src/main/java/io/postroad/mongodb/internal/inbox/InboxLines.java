package io.postroad.mongodb.internal.inbox;

import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore;
import io.postroad.spi.InboxWaiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Keeps which messages wait in the retry line: one document per message, by its id there. */
public final class InboxLines {
  private static final String ORDER = "order";
  private static final String KEY = "key";
  private static final String SINCE = "since";
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));

  private final MongoCollection<BsonDocument> callers;
  private final MongoCollection<BsonDocument> own;
  private final ServerTime time;

  public InboxLines(Database database) {
    this.callers = database.callersCollection(Names.INBOX_WAITING);
    this.own = database.collection(Names.INBOX_WAITING);
    this.time = database.time();
  }

  public void add(ClientSession session, InboxEntry entry, UUID retryId) {
    BsonDocument waiting = line(entry.order(), InboxStore.keyOf(entry)).append(SINCE, time.floor());
    callers.replaceOne(session, which(retryId), waiting, new ReplaceOptions().upsert(true));
  }

  public void remove(ClientSession session, UUID retryId) {
    callers.deleteOne(session, which(retryId));
  }

  /**
   * Returns whether an earlier message of the key waits, as the transaction of the session sees it.
   */
  public boolean isBehind(ClientSession session, InboxEntry entry) {
    return entry
        .key()
        .filter(key -> isThere(callers.find(session, line(entry.order(), key))))
        .isPresent();
  }

  /** Returns the same outside of a transaction. */
  public boolean isBehind(InboxEntry entry) {
    return entry.key().filter(key -> isThere(own.find(line(entry.order(), key)))).isPresent();
  }

  private static boolean isThere(FindIterable<BsonDocument> found) {
    return found.projection(ID_ONLY).first() != null;
  }

  public List<InboxWaiting> list(Duration longerThan, Optional<UUID> after, int limit) {
    BsonDocument which =
        new BsonDocument(
            "$expr", Bson.of("$lte", Bson.field(SINCE), time.plus(longerThan.negated())));
    after.ifPresent(
        id -> which.append(MessageDocument.ID, new BsonDocument("$gt", MessageDocument.id(id))));
    return own.find(which)
        .sort(ID_ONLY)
        .limit(limit)
        .map(InboxLines::waiting)
        .into(new ArrayList<>());
  }

  private static InboxWaiting waiting(BsonDocument document) {
    return new InboxWaiting(
        MessageDocument.id(document),
        MessageDocument.text(document, ORDER),
        MessageDocument.text(document, KEY),
        MessageDocument.instant(document, SINCE));
  }

  private static BsonDocument line(String order, String key) {
    return new BsonDocument(ORDER, new BsonString(order)).append(KEY, new BsonString(key));
  }

  private static BsonDocument which(UUID retryId) {
    return new BsonDocument(MessageDocument.ID, MessageDocument.id(retryId));
  }
}
