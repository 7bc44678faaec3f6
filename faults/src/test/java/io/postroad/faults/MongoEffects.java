package io.postroad.faults;

import com.mongodb.ReadConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import io.postroad.message.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The collection {@code effect}. */
final class MongoEffects implements Effects<ClientSession> {
  private final MongoCollection<BsonDocument> effects;

  /**
   * @param database with the client that transactions are of
   */
  MongoEffects(MongoDatabase database) {
    this.effects = database.getCollection("effect", BsonDocument.class);
  }

  void create() {
    String unused = effects.createIndex(Indexes.ascending("key"));
  }

  @Override
  public void add(ClientSession session, Message message) {
    String key = message.key().orElseThrow();
    int before = (int) effects.countDocuments(session, Filters.eq("key", key));
    effects.insertOne(
        session,
        new BsonDocument("message_id", new BsonBinary(message.id()))
            .append("key", new BsonString(key))
            .append("number", new BsonInt32(Effects.numberOf(message)))
            .append("before", new BsonInt32(before)));
  }

  @Override
  public void oncePerKey() {
    String unused =
        effects.createIndex(
            Indexes.compoundIndex(Indexes.ascending("key"), Indexes.ascending("number")),
            new IndexOptions().unique(true));
  }

  @Override
  public List<Effect> all() {
    return effects
        .withReadConcern(ReadConcern.MAJORITY)
        .find()
        .map(
            row ->
                new Effect(
                    row.getBinary("message_id").asUuid(),
                    row.getString("key").getValue(),
                    row.getInt32("number").getValue(),
                    row.getInt32("before").getValue()))
        .into(new ArrayList<>());
  }

  @Override
  public int messages() {
    return effects
        .withReadConcern(ReadConcern.MAJORITY)
        .distinct("message_id", BsonBinary.class)
        .into(new HashSet<>())
        .size();
  }
}
