package io.postroad.mongodb;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that rise and are given out once, from a document {@code {_id: name, sequence: n}}.
 *
 * <p>Safe to use from many threads and nodes. A number is taken outside of any transaction, before
 * you open yours: inside, every transaction that takes one would conflict with the others. So a
 * number whose transaction fails is lost, and there may be gaps. A crash or an election never gives
 * one out twice.
 */
public final class MongoSequence {
  private static final String SEQUENCE = "sequence";

  private final MongoCollection<BsonDocument> sequences;
  private final String name;
  private final BsonDocument id;

  /**
   * @param database where the sequence is
   * @param collection of the sequences, for example {@code recurring_rule_ids}
   * @param name of this one, for example {@code recurring_rule}
   */
  public MongoSequence(MongoDatabase database, String collection, String name) {
    this.sequences =
        database
            .getCollection(collection, BsonDocument.class)
            .withReadPreference(ReadPreference.primary())
            .withWriteConcern(WriteConcern.MAJORITY);
    this.name = name;
    this.id = new BsonDocument("_id", new BsonString(name));
  }

  /**
   * Creates the sequence, so that the first number is {@code last + 1}; leaves one alone that is
   * there. Belongs into a migration.
   */
  public void createAfter(long last) {
    try {
      sequences.insertOne(id.clone().append(SEQUENCE, new BsonInt64(last)));
    } catch (MongoException failed) {
      if (!MongoErrors.isDuplicateKey(failed)) {
        throw MongoErrors.failed("create the sequence '" + name + "'", failed);
      }
    }
  }

  /** The next number. */
  public long next() {
    @Nullable BsonDocument after =
        Database.call(
            "take a number of the sequence '" + name + "'",
            () ->
                sequences.findOneAndUpdate(
                    id,
                    new BsonDocument("$inc", new BsonDocument(SEQUENCE, new BsonInt64(1))),
                    new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)));
    if (after == null) {
      throw new PostroadException(
          "there is no sequence '%s' in %s; create it with createAfter(..) in a migration, because one that began by itself would begin at 1"
              .formatted(name, sequences.getNamespace().getFullName()));
    }
    return after.getNumber(SEQUENCE).longValue();
  }
}
