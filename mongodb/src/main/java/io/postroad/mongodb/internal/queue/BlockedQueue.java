package io.postroad.mongodb.internal.queue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
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
public final class BlockedQueue {
  private static final BsonDocument ALL = new BsonDocument();
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  private static final int ROUNDS = 4;
  private static final String COUNT = "n";

  private final MongoCollection<BsonDocument> outbox;
  private final ServerTime time;
  private final QueueForm form;
  private final DestinationIndex index;

  public BlockedQueue(Database database, QueueForm form) {
    this.outbox = Database.latest(form.collection(database));
    this.form = form;
    this.index = form.asideIndex();
    this.time = database.time();
  }

  public Set<String> destinations() {
    return Database.call(
        "look for destinations that are waited for",
        () -> index.destinations(outbox::find, ALL).keySet());
  }

  /** Reads waiting messages and opens those that still wait; reads again after a conflict. */
  public int open(String destination, int limit) {
    BlockedDestination.checkLimit(limit);
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
    return index
        .longestFirst(outbox::find, ALL, destination)
        .limit(limit)
        .projection(ID_ONLY)
        .map(message -> message.get(MessageDocument.ID))
        .into(new ArrayList<>());
  }

  private int makeDue(List<BsonValue> ids) {
    BsonDocument stillWaiting =
        new BsonDocument(MessageDocument.ID, Bson.in(ids))
            .append(form.names().times().asideAt(), new BsonDocument("$exists", BsonBoolean.TRUE));
    return (int)
        outbox
            .updateMany(stillWaiting, form.opened(time), new UpdateOptions().hint(ID_ONLY))
            .getModifiedCount();
  }

  public List<BlockedDestination> blocked() {
    return Database.call(
        "count what is set aside",
        () -> {
          Instant now = time.ask();
          List<BlockedDestination> waiting = new ArrayList<>();
          index
              .destinations(outbox::find, ALL)
              .forEach(
                  (destination, since) ->
                      waiting.add(
                          new BlockedDestination(
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
                    new BsonDocument("$match", index.waiting(ALL, destination)),
                    new BsonDocument("$limit", new BsonInt32(Backlog.COUNT_LIMIT)),
                    new BsonDocument("$count", new BsonString(COUNT))))
            .hintString(index.name())
            .first();
    return counted == null ? 0 : counted.getNumber(COUNT).longValue();
  }
}
