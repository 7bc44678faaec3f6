package io.postroad.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.store.Backlog;
import io.postroad.store.SetAside;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** OPEN: makes messages of the queue due that wait for their destination; and what waits so. */
final class QueueAside {
  private static final AsideIndex INDEX = AsideIndex.OF_MESSAGES;
  private static final BsonDocument ALL = new BsonDocument();
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  private static final int ROUNDS = 4;
  private static final String COUNT = "n";

  private final MongoCollection<BsonDocument> outbox;
  private final ServerTime time;

  QueueAside(Database database) {
    this.outbox = database.latest(Names.OUTBOX);
    this.time = database.time();
  }

  Set<String> destinations() {
    return Database.call(
        "look for destinations that are waited for",
        () -> INDEX.destinations(outbox::find, ALL).keySet());
  }

  /** Looks and then changes what still waits; who met another looks again. */
  int open(String destination, int limit) {
    SetAside.checkLimit(limit);
    return Database.call(
        "open destination " + destination,
        () -> {
          int opened = 0;
          for (int round = 0; round < ROUNDS; round++) {
            int wanted = limit - opened;
            List<BsonValue> found = longestWaiting(destination, wanted);
            int changed = found.isEmpty() ? 0 : makeDue(found);
            opened += changed;
            if (found.size() < wanted || changed == found.size()) {
              break;
            }
          }
          return opened;
        });
  }

  private List<BsonValue> longestWaiting(String destination, int limit) {
    return INDEX
        .longestFirst(outbox::find, ALL, destination)
        .limit(limit)
        .projection(ID_ONLY)
        .map(message -> message.get(MessageDocument.ID))
        .into(new ArrayList<>());
  }

  private int makeDue(List<BsonValue> ids) {
    BsonDocument stillWaiting =
        new BsonDocument(MessageDocument.ID, Bson.in(ids))
            .append(QueueDocument.ASIDE_AT, new BsonDocument("$exists", BsonBoolean.TRUE));
    BsonDocument due =
        new BsonDocument(QueueDocument.NEXT_RETRY_AT, time.now())
            .append(QueueDocument.DUE_AT, time.now());
    return (int)
        outbox
            .updateMany(
                stillWaiting,
                List.of(Bson.set(due), Bson.unset(QueueDocument.ASIDE_AT)),
                new UpdateOptions().hint(ID_ONLY))
            .getModifiedCount();
  }

  List<SetAside> setAside() {
    return Database.call(
        "count what is set aside",
        () -> {
          Instant now = time.ask();
          List<SetAside> waiting = new ArrayList<>();
          INDEX
              .destinations(outbox::find, ALL)
              .forEach(
                  (destination, since) ->
                      waiting.add(
                          new SetAside(
                              destination, count(destination), ServerTime.waited(since, now))));
          return waiting;
        });
  }

  /** Stops looking at the limit. */
  private long count(String destination) {
    @Nullable BsonDocument counted =
        outbox
            .aggregate(
                List.of(
                    new BsonDocument("$match", INDEX.waiting(ALL, destination)),
                    new BsonDocument("$limit", new BsonInt32(Backlog.COUNT_LIMIT)),
                    new BsonDocument("$count", new BsonString(COUNT))))
            .hintString(INDEX.name())
            .first();
    return counted == null ? 0 : counted.getNumber(COUNT).longValue();
  }
}
