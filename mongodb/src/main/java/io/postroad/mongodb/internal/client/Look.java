package io.postroad.mongodb.internal.client;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * A query for the first of some documents, in an order that an index has.
 *
 * @param by the field that the order begins with
 * @param index its name, where the planner must be told
 */
public record Look(BsonDocument which, BsonDocument order, String by, Optional<String> index) {

  /** The same by another index, which has that order too. */
  public Look by(String otherIndex) {
    return new Look(which, order, by, Optional.of(otherIndex));
  }

  public FindIterable<BsonDocument> first(MongoCollection<BsonDocument> collection, int limit) {
    FindIterable<BsonDocument> found = collection.find(which).sort(order).limit(limit);
    return index.map(found::hintString).orElse(found);
  }
}
