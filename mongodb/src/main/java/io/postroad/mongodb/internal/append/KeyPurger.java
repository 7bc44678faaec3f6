package io.postroad.mongodb.internal.append;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.DeleteOptions;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Removes deduplication keys past their window, a bounded number at a time. */
public final class KeyPurger {
  private static final DeleteOptions BY_ID =
      new DeleteOptions().hint(new BsonDocument(MessageDocument.ID, new BsonInt32(1)));

  private final MongoCollection<BsonDocument> keys;
  private final ServerTime time;

  public KeyPurger(Database database) {
    this.keys = database.latest(Names.DEDUP);
    this.time = database.time();
  }

  /** How many were removed. */
  public long purge(int limit) {
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
              : keys.deleteMany(expired().append(MessageDocument.ID, Bson.in(expired)), BY_ID)
                  .getDeletedCount();
        });
  }

  private BsonDocument expired() {
    return new BsonDocument(DedupKeys.EXPIRES_AT, new BsonDocument("$exists", BsonBoolean.TRUE))
        .append("$expr", Bson.of("$lte", Bson.field(DedupKeys.EXPIRES_AT), time.now()));
  }
}
