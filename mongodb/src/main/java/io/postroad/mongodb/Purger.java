package io.postroad.mongodb;

import com.mongodb.client.MongoCollection;
import io.postroad.store.PurgeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** PURGE: removes delivered messages and forgotten keys, a bounded number at a time. */
final class Purger {
  private final MongoCollection<BsonDocument> outbox;
  private final ServerTime time;
  private final KeyPurger keys;
  private final DeadLetterBox deadLetters;

  Purger(Database database, DeadLetterBox deadLetters) {
    this.outbox = database.latest(Names.OUTBOX);
    this.time = database.time();
    this.keys = new KeyPurger(database);
    this.deadLetters = deadLetters;
  }

  PurgeResult purge(Duration olderThan, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("purge limit must be 1 or more, got " + limit);
    }
    long messages = Database.call("purge delivered messages", () -> messages(olderThan, limit));
    keys.purge(limit);
    return PurgeResult.removed(messages, messages == limit);
  }

  private long messages(Duration olderThan, int limit) {
    deadLetters.bringOthers(limit);
    List<UUID> old = new ArrayList<>();
    outbox
        .find(old(olderThan))
        .sort(new BsonDocument(QueueDocument.SETTLED_AT, new BsonInt32(1)))
        .limit(limit)
        .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
        .forEach(document -> old.add(MessageDocument.id(document)));
    if (old.isEmpty()) {
      return 0;
    }
    deadLetters.forgetCopies(old);
    return outbox
        .deleteMany(Bson.ids(old).append(QueueDocument.STATUS, new BsonString(QueueDocument.DONE)))
        .getDeletedCount();
  }

  private BsonDocument old(Duration olderThan) {
    return QueueDocument.settled(QueueDocument.DONE)
        .append(
            "$expr",
            Bson.of("$lte", Bson.field(QueueDocument.SETTLED_AT), time.plus(olderThan.negated())));
  }
}
