package io.postroad.mongodb.internal.log;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.result.UpdateResult;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.store.PurgeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;

/**
 * PURGE: removes what is settled from the lower end of each lane. Voids are passed and stay for a
 * day, so that a place that was rolled back does not keep the messages above it. The position it
 * goes by is one that a majority has, or an election could bring a message back into question that
 * is gone.
 */
public final class LogPurger {
  /**
   * A sequence number is not used this long after it was drawn, so its tombstone is not needed
   * longer.
   */
  private static final Duration VOIDS = Duration.ofDays(1);

  private final Database database;
  private final Snapshots snapshots;
  private final Lanes owners;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<BsonDocument> lanes;

  public LogPurger(Database database, Snapshots snapshots, Lanes owners) {
    this.database = database;
    this.snapshots = snapshots;
    this.owners = owners;
    this.log = database.collection(Names.LOG);
    this.lanes = database.collection(Names.LANE);
  }

  public PurgeResult purge(Duration olderThan, int limit) {
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

  /** How many documents were removed, and how many were read for it. */
  private record Removed(int messages, int documents) {}

  private Removed purge(
      BsonDocument lane, Instant messagesBefore, Instant tombstonesBefore, int limit) {
    int number = lane.getInt32(MessageDocument.ID).getValue();
    long floor = lane.getNumber(Lanes.FLOOR).longValue();
    long complete = LogPosition.of(lane).complete();
    int messages = 0;
    int documents = 0;
    long last = floor;
    for (BsonDocument document : oldest(number, floor, complete, limit)) {
      if (!LogDocument.isTombstone(document)) {
        if (createdAt(document).isAfter(messagesBefore)) {
          break;
        }
        messages++;
      }
      documents++;
      last = LogIds.sequence(document);
    }
    if (last > floor) {
      removeMessages(number, floor, last);
    }
    int tombstones = purgeTombstones(lane, last, tombstonesBefore, Math.max(1, limit - documents));
    return new Removed(messages, documents + tombstones);
  }

  /** Up to the floor there are only tombstones, which stay longer than messages. */
  private int purgeTombstones(BsonDocument lane, long floor, Instant before, int limit) {
    int number = lane.getInt32(MessageDocument.ID).getValue();
    long tombstoneFloor = lane.getNumber(Lanes.TOMBSTONE_FLOOR, new BsonInt64(0)).longValue();
    List<BsonDocument> tombstones = oldest(number, tombstoneFloor, floor, limit);
    int old = 0;
    while (old < tombstones.size() && !createdAt(tombstones.get(old)).isAfter(before)) {
      old++;
    }
    long last =
        old < tombstones.size()
            ? LogIds.sequence(tombstones.get(old)) - 1
            : old < limit ? floor : LogIds.sequence(tombstones.get(old - 1));
    if (last > tombstoneFloor) {
      removeVoids(number, tombstoneFloor, last, old > 0);
    }
    return old;
  }

  private static Instant createdAt(BsonDocument document) {
    return MessageDocument.instant(document, MessageDocument.CREATED_AT);
  }

  private List<BsonDocument> oldest(int lane, long above, long upTo, int limit) {
    if (upTo <= above) {
      return List.of();
    }
    return Database.call(
        "find delivered messages of lane " + lane,
        () ->
            log.find(LogIds.between(lane, above + 1, upTo))
                .projection(
                    new BsonDocument(MessageDocument.CREATED_AT, new BsonInt32(1))
                        .append(LogDocument.TOMBSTONE, new BsonInt32(1)))
                .sort(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
                .limit(limit)
                .into(new ArrayList<>()));
  }

  /** Everything in between was seen by the lane's reader, so nothing can come there any more. */
  private void removeMessages(int lane, long floor, long last) {
    var unused =
        Database.call(
            "purge messages of lane " + lane,
            () -> {
              log.deleteMany(
                  LogIds.between(lane, floor + 1, last)
                      .append(LogDocument.TOMBSTONE, BsonNull.VALUE));
              return raise(lane, Lanes.FLOOR, last);
            });
  }

  private void removeVoids(int lane, long tombstoneFloor, long last, boolean any) {
    var unused =
        Database.call(
            "purge tombstones of lane " + lane,
            () -> {
              if (any) {
                log.deleteMany(LogIds.between(lane, tombstoneFloor + 1, last));
              }
              return raise(lane, Lanes.TOMBSTONE_FLOOR, last);
            });
  }

  private UpdateResult raise(int lane, String mark, long to) {
    return lanes.updateOne(
        new BsonDocument(MessageDocument.ID, new BsonInt32(lane)),
        new BsonDocument("$max", new BsonDocument(mark, new BsonInt64(to))));
  }
}
