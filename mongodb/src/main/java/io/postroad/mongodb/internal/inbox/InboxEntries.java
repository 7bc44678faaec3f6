package io.postroad.mongodb.internal.inbox;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.InboxEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The messages that handlers had: one document each, whose {@code _id} is handler and message. */
public final class InboxEntries {
  static final String PROCESSED_AT = "processed_at";

  /** So many ids of the longest texts are far from the 16 MB of a command. */
  private static final int AT_ONCE = 1_000;

  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  private static final DeleteOptions BY_ID = new DeleteOptions().hint(ID_ONLY);
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  private final MongoCollection<BsonDocument> callers;
  private final MongoCollection<BsonDocument> own;
  private final MongoCollection<BsonDocument> latest;
  private final ServerTime time;

  public InboxEntries(Database database) {
    this.callers = database.callersCollection(Names.INBOX);
    this.own = database.collection(Names.INBOX);
    this.latest = database.latest(Names.INBOX);
    this.time = database.time();
  }

  /**
   * Adds an entry where there is none. An upsert, because an insert that meets another would end
   * the transaction. Two open transactions that add the same are a write conflict: MongoDB ends the
   * second one with the label that lets it run again.
   *
   * @return whether there was none
   */
  public boolean add(ClientSession session, InboxEntry entry) {
    BsonDocument fresh = new BsonDocument(PROCESSED_AT, time.floor());
    try {
      return callers
              .updateOne(session, which(entry), new BsonDocument("$setOnInsert", fresh), UPSERT)
              .getUpsertedId()
          != null;
    } catch (MongoException failed) {
      if (MongoErrors.isDuplicateKey(failed)) {
        throw MongoErrors.again(
            "another transaction has entered message %s for handler %s; run this one again"
                .formatted(entry.messageId(), entry.handler()),
            failed);
      }
      throw failed;
    }
  }

  public boolean has(InboxEntry entry) {
    return own.find(which(entry)).projection(ID_ONLY).first() != null;
  }

  /** The fields of {@code _id} in this order: MongoDB compares them so. */
  private static BsonDocument which(InboxEntry entry) {
    return new BsonDocument(
        MessageDocument.ID,
        new BsonDocument("message_id", new BsonString(entry.messageId()))
            .append("handler", new BsonString(entry.handler())));
  }

  public int purge(Duration olderThan, int limit) {
    int purged = 0;
    while (purged < limit) {
      int wanted = Math.min(AT_ONCE, limit - purged);
      List<BsonValue> old = longestAgo(olderThan, wanted);
      if (!old.isEmpty()) {
        purged +=
            (int)
                latest
                    .deleteMany(old(olderThan).append(MessageDocument.ID, Bson.in(old)), BY_ID)
                    .getDeletedCount();
      }
      if (old.size() < wanted) {
        break;
      }
    }
    return purged;
  }

  private List<BsonValue> longestAgo(Duration olderThan, int limit) {
    return latest
        .find(old(olderThan))
        .sort(new BsonDocument(PROCESSED_AT, new BsonInt32(1)))
        .limit(limit)
        .projection(ID_ONLY)
        .map(entry -> entry.get(MessageDocument.ID))
        .into(new ArrayList<>());
  }

  /** Asked again by the delete: one that was purged and entered anew meanwhile stays. */
  private BsonDocument old(Duration olderThan) {
    return new BsonDocument(
        "$expr", Bson.of("$lte", Bson.field(PROCESSED_AT), time.plus(olderThan.negated())));
  }
}
