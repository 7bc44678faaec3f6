package io.postroad.mongodb.internal.log;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/**
 * ADVANCE: writes down how far a lane is settled. It does not wait for a majority: what an election
 * takes back is delivered once more.
 */
public final class LogCursor {
  private final MongoCollection<BsonDocument> lanes;

  public LogCursor(Database database) {
    this.lanes = database.collection(Names.LANE).withWriteConcern(WriteConcern.W1);
  }

  public void advance(LaneLease lease, LogPosition upTo) {
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
