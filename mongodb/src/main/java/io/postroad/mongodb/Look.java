package io.postroad.mongodb;

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
record Look(BsonDocument which, BsonDocument order, String by, Optional<String> index) {

  /** The same by another index, which has that order too. */
  Look by(String otherIndex) {
    return new Look(which, order, by, Optional.of(otherIndex));
  }

  FindIterable<BsonDocument> first(MongoCollection<BsonDocument> collection, int limit) {
    FindIterable<BsonDocument> found = collection.find(which).sort(order).limit(limit);
    return index.map(found::hintString).orElse(found);
  }
}
