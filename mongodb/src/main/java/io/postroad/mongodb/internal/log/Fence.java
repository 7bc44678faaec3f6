package io.postroad.mongodb.internal.log;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Lets only the owner of a lane through. A transaction that changes something writes the lane's
 * document in its transaction: a read alone would let a new owner in between.
 */
public final class Fence {
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));

  private final Database database;
  private final MongoCollection<BsonDocument> lanes;

  public Fence(Database database) {
    this.database = database;
    this.lanes = database.callersCollection(Names.LANE);
  }

  /** The lane's document, if the lease holds. */
  static BsonDocument of(LaneLease lease) {
    return new BsonDocument(MessageDocument.ID, new BsonInt32(lease.lane()))
        .append("epoch", new BsonInt64(lease.epoch()))
        .append("node", new BsonString(lease.node()));
  }

  /** For reads: the session sees one moment, and at that moment the lease held. */
  void look(ClientSession session, LaneLease lease, String verb) {
    if (lanes.find(session, of(lease)).projection(ID_ONLY).first() == null) {
      throw new LaneLostException(lease, verb);
    }
  }

  /**
   * Fences a transaction that writes: no other passes until this one has ended.
   *
   * @return the database's time
   */
  BsonDateTime pass(ClientSession session, LaneLease lease, String verb) {
    return pass(session, lease, verb, new BsonDocument());
  }

  /** Writes these fields of the lane, too. */
  BsonDateTime pass(ClientSession session, LaneLease lease, String verb, BsonDocument fields) {
    BsonDocument set = fields.clone().append("written_at", database.time().now());
    @Nullable BsonDocument lane =
        lanes.findOneAndUpdate(
            session,
            of(lease),
            List.of(new BsonDocument("$set", set)),
            new FindOneAndUpdateOptions()
                .projection(new BsonDocument("written_at", new BsonInt32(1)))
                .returnDocument(ReturnDocument.AFTER));
    if (lane == null) {
      throw new LaneLostException(lease, verb);
    }
    return lane.getDateTime("written_at");
  }
}
