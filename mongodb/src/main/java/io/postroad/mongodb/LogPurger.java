package io.postroad.mongodb;

import com.mongodb.client.MongoCollection;
import io.postroad.store.PurgeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/**
 * PURGE: removes what is settled from the lower end of each lane. The position it goes by is one
 * that a majority has, or an election could bring a message back into question that is gone.
 */
final class LogPurger {
  /** A ticket is not used this long after it was drawn, so its void is not needed longer. */
  private static final Duration VOIDS = Duration.ofDays(1);

  private final Database database;
  private final Snapshots snapshots;
  private final Lanes owners;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<BsonDocument> lanes;

  LogPurger(Database database, Snapshots snapshots, Lanes owners) {
    this.database = database;
    this.snapshots = snapshots;
    this.owners = owners;
    this.log = database.collection(Names.LOG);
    this.lanes = database.collection(Names.LANE);
  }

  PurgeResult purge(Duration olderThan, int limit) {
    owners.forgetNodes();
    Instant now = database.time().ask();
    long messages = 0;
    int left = limit;
    for (BsonDocument lane : snapshots.read("read the positions of all lanes", owners::all)) {
      if (left > 0) {
        Removed removed = purge(lane, now.minus(olderThan), now.minus(longer(olderThan)), left);
        messages += removed.messages;
        left -= removed.documents;
      }
    }
    return PurgeResult.removed(messages, left <= 0);
  }

  private static Duration longer(Duration olderThan) {
    return olderThan.compareTo(VOIDS) > 0 ? olderThan : VOIDS;
  }

  /** What went, voids among the documents. */
  private record Removed(int messages, int documents) {}

  private Removed purge(BsonDocument lane, Instant messagesBefore, Instant voidsBefore, int limit) {
    int number = lane.getInt32(MessageDocument.ID).getValue();
    long floor = lane.getNumber(Lanes.FLOOR).longValue();
    long complete = LogPosition.of(lane).complete();
    if (complete <= floor) {
      return new Removed(0, 0);
    }
    int messages = 0;
    int documents = 0;
    long last = floor;
    for (BsonDocument document : oldest(number, floor, complete, limit)) {
      boolean isVoid = LogDocument.isVoid(document);
      Instant createdAt = MessageDocument.instant(document, MessageDocument.CREATED_AT);
      if (createdAt.isAfter(isVoid ? voidsBefore : messagesBefore)) {
        break;
      }
      messages += isVoid ? 0 : 1;
      documents++;
      last = TicketIds.ticket(document);
    }
    if (documents > 0) {
      remove(number, floor, last);
    }
    return new Removed(messages, documents);
  }

  private List<BsonDocument> oldest(int lane, long floor, long complete, int limit) {
    return Database.call(
        "find delivered messages of lane " + lane,
        () ->
            log.find(TicketIds.between(lane, floor + 1, complete))
                .projection(
                    new BsonDocument(MessageDocument.CREATED_AT, new BsonInt32(1))
                        .append(LogDocument.VOID, new BsonInt32(1)))
                .sort(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
                .limit(limit)
                .into(new ArrayList<>()));
  }

  /** Everything in between was seen by the lane's reader, so nothing can come there any more. */
  private void remove(int lane, long floor, long last) {
    var unused =
        Database.call(
            "purge messages of lane " + lane,
            () -> {
              log.deleteMany(TicketIds.between(lane, floor + 1, last));
              return lanes.updateOne(
                  new BsonDocument(MessageDocument.ID, new BsonInt32(lane)),
                  new BsonDocument("$max", new BsonDocument(Lanes.FLOOR, new BsonInt64(last))));
            });
  }
}
