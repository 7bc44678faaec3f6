package io.postroad.mongodb.internal.queue;

import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.admin.DeadLetterBox;
import io.postroad.mongodb.internal.append.KeyPurger;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.store.PurgeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** PURGE: removes delivered messages and forgotten keys, a bounded number at a time. */
public final class Purger {
  private final MongoCollection<BsonDocument> outbox;
  private final ServerTime time;
  private final KeyPurger keys;
  private final DeadLetterBox deadLetters;
  private final QueueForm form;

  public Purger(Database database, QueueForm form, DeadLetterBox deadLetters) {
    this.form = form;
    this.outbox = Database.latest(form.collection(database));
    this.time = database.time();
    this.keys = new KeyPurger(database);
    this.deadLetters = deadLetters;
  }

  public PurgeResult purge(Duration olderThan, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("purge limit must be 1 or more, got " + limit);
    }
    long messages = Database.call("purge delivered messages", () -> messages(olderThan, limit));
    keys.purge(limit);
    return PurgeResult.removed(messages, messages == limit);
  }

  private long messages(Duration olderThan, int limit) {
    deadLetters.bringOthers(limit);
    List<BsonDocument> old = new ArrayList<>();
    for (Look look : form.delivered(olderThan, time)) {
      if (old.size() < limit) {
        look.first(outbox, limit - old.size())
            .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
            .into(old);
      }
    }
    if (old.isEmpty()) {
      return 0;
    }
    deadLetters.forgetCopies(old.stream().map(form::id).toList());
    BsonDocument which = Bson.same(old);
    which.putAll(form.isDelivered());
    return outbox.deleteMany(which).getDeletedCount();
  }
}
