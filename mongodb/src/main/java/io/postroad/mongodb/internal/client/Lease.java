package io.postroad.mongodb.internal.client;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Something that one holder does at a time: a document with an owner and an end, by the database's
 * clock. It ends with its holder: a node that does not renew it in time has lost it.
 */
public final class Lease {
  private static final String OWNER = "owner";
  private static final String UNTIL = "lease_until";

  private final MongoCollection<BsonDocument> leases;
  private final ServerTime time;
  private final BsonDocument id;
  private final BsonString owner = new BsonString(UUID.randomUUID().toString());

  public Lease(MongoCollection<BsonDocument> leases, ServerTime time, String name) {
    this.leases = leases;
    this.time = time;
    this.id = new BsonDocument("_id", new BsonString(name));
  }

  /** Takes it, or prolongs it where it is held already; false when another node holds it. */
  public boolean hold(Duration leaseFor) {
    BsonValue free =
        of(
            "$or",
            of("$eq", new BsonString("$" + OWNER), owner),
            of(
                "$lte",
                of("$ifNull", new BsonString("$" + UNTIL), new BsonDateTime(0)),
                time.now()));
    BsonDocument update =
        new BsonDocument(
            "$set",
            new BsonDocument(OWNER, of("$cond", free, owner, new BsonString("$" + OWNER)))
                .append(
                    UNTIL, of("$cond", free, time.plus(leaseFor), new BsonString("$" + UNTIL))));
    @Nullable BsonDocument after =
        leases.findOneAndUpdate(
            id,
            List.of(update),
            new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    return after != null && owner.equals(after.get(OWNER));
  }

  /** Gives it back, if it is still held. */
  public void release() {
    leases.deleteOne(id.clone().append(OWNER, owner));
  }

  private static BsonDocument of(String operator, BsonValue... operands) {
    return new BsonDocument(operator, new BsonArray(List.of(operands)));
  }
}
