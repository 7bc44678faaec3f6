package io.postroad.mongodb;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import io.postroad.store.LaneLease;
import io.postroad.store.LaneLostException;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/**
 * ADVANCE: writes down how far a lane is settled. It does not wait for a majority: what an election
 * takes back is delivered once more.
 */
final class LogCursor {
  private final MongoCollection<BsonDocument> lanes;

  LogCursor(Database database) {
    this.lanes = database.collection(Names.LANE).withWriteConcern(WriteConcern.W1);
  }

  void advance(LaneLease lease, LogPosition upTo) {
    long written =
        Database.call(
                "advance lane " + lease.lane(),
                () -> lanes.updateOne(Fence.of(lease), new BsonDocument("$set", fields(upTo))))
            .getMatchedCount();
    if (written == 0) {
      throw new LaneLostException(lease, "advance to " + upTo);
    }
  }

  static BsonDocument fields(LogPosition position) {
    return new BsonDocument(Lanes.HEAD, position.headValue())
        .append(Lanes.GAPS, position.gapsValue())
        .append(Lanes.PROGRESS, BsonBoolean.TRUE);
  }
}
