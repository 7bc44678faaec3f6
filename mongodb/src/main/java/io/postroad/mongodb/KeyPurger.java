package io.postroad.mongodb;

import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Removes deduplication keys past their window, a bounded number at a time. */
final class KeyPurger {
  private final MongoCollection<BsonDocument> keys;
  private final ServerTime time;

  KeyPurger(Database database) {
    this.keys = database.latest(Names.DEDUP);
    this.time = database.time();
  }

  /** How many were removed. */
  long purge(int limit) {
    return Database.call(
        "purge deduplication keys",
        () -> {
          List<BsonValue> expired = new ArrayList<>();
          keys.find(expired())
              .sort(new BsonDocument(DedupKeys.EXPIRES_AT, new BsonInt32(1)))
              .limit(limit)
              .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
              .forEach(key -> expired.add(key.get(MessageDocument.ID)));
          return expired.isEmpty()
              ? 0L
              : keys.deleteMany(expired().append(MessageDocument.ID, Bson.in(expired)))
                  .getDeletedCount();
        });
  }

  private BsonDocument expired() {
    return new BsonDocument(DedupKeys.EXPIRES_AT, new BsonDocument("$exists", BsonBoolean.TRUE))
        .append("$expr", Bson.of("$lte", Bson.field(DedupKeys.EXPIRES_AT), time.now()));
  }
}
