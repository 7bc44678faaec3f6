package io.postroad.mongodb.internal.log;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.jspecify.annotations.Nullable;

/** Keeps decisions and owners of lanes apart: both write the document of the lane. */
public final class LaneDecisions {
  static final String DECISIONS = "decisions";

  private static final String WRITTEN_AT = "written_at";

  private final Database database;
  private final MongoCollection<BsonDocument> reading;
  private final MongoCollection<BsonDocument> lanes;

  public LaneDecisions(Database database) {
    this.database = database;
    this.reading = database.collection(Names.LANE);
    this.lanes = database.callersCollection(Names.LANE);
  }

  public long count(LaneLease lease) {
    @Nullable BsonDocument lane =
        Database.call(
            "read the decisions about lane " + lease.lane(),
            () ->
                reading
                    .find(Fence.of(lease))
                    .projection(new BsonDocument(DECISIONS, new BsonInt32(1)))
                    .first());
    if (lane == null) {
      throw new LaneLostException(lease, "read the decisions about it");
    }
    return lane.getNumber(DECISIONS, new BsonInt32(0)).longValue();
  }

  /**
   * Keeps the owners of these lanes from holding, taking and settling until the transaction ends.
   * To be done first: what a transaction writes must not have changed since its first operation,
   * and a lane is written all the time.
   *
   * @param numbers ascending, so that two decisions do not wait for each other
   * @return the database's time
   */
  public BsonDateTime lock(ClientSession session, SortedSet<Integer> numbers) {
    @Nullable BsonDateTime now = null;
    for (int number : numbers) {
      @Nullable BsonDocument lane =
          lanes.findOneAndUpdate(
              session,
              new BsonDocument(MessageDocument.ID, new BsonInt32(number)),
              List.of(Bson.set(new BsonDocument(WRITTEN_AT, database.time().now()))),
              new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
      if (lane == null) {
        throw new PostroadException(
            "there is no lane %d, whose messages are to be changed; see MongoSchema"
                .formatted(number));
      }
      now = lane.getDateTime(WRITTEN_AT);
    }
    return Objects.requireNonNull(now, "no lane");
  }

  /** Notifies the owners. */
  public void raise(ClientSession session, Collection<Integer> numbers) {
    lanes.updateMany(
        session,
        new BsonDocument(
            MessageDocument.ID, Bson.in(numbers.stream().map(BsonInt32::new).toList())),
        new BsonDocument("$inc", new BsonDocument(DECISIONS, new BsonInt64(1))));
  }
}
