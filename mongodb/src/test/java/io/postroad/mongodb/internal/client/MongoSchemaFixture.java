package io.postroad.mongodb.internal.client;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.postroad.mongodb.MongoSchema;
import io.postroad.mongodb.internal.schema.SchemaSteps;
import io.postroad.schema.StoreSchema;
import io.postroad.tck.SchemaFixture;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;

/** A database without a schema of ours, for the migration contract. */
public final class MongoSchemaFixture implements SchemaFixture {
  private final TestDatabase database;

  public MongoSchemaFixture(TestDatabase database) {
    this.database = database;
  }

  @Override
  public StoreSchema schema() {
    return new MongoSchema(database.client(), database.options());
  }

  @Override
  public void pretendInstalled(int version) {
    history().deleteMany(Filters.gt("_id", version));
    if (schema().installedVersion() < version) {
      history()
          .insertOne(
              BsonDocument.parse(
                  "{\"_id\": %d, \"file\": \"later\", \"checksum\": \"x\"}".formatted(version)));
    }
  }

  @Override
  public void changeAppliedStep() {
    history()
        .updateOne(
            Filters.eq("_id", schema().installedVersion()), Updates.set("checksum", "changed"));
  }

  @Override
  public String removeOne() {
    database.collection(Names.OUTBOX).dropIndex("outbox_due_idx");
    return "outbox_due_idx";
  }

  @Override
  public void runScript(String script) {
    for (BsonDocument command : SchemaSteps.commands(script)) {
      database.client().getDatabase(database.options().database()).runCommand(command);
    }
  }

  @Override
  public String snapshot() {
    List<String> lines = new ArrayList<>();
    var all = database.client().getDatabase(database.options().database());
    for (BsonDocument collection : all.listCollections(BsonDocument.class)) {
      String name = collection.getString("name").getValue();
      lines.add(collection.toJson());
      all.getCollection(name)
          .listIndexes(BsonDocument.class)
          .forEach(index -> lines.add(name + " " + index.toJson()));
      all.getCollection(name, BsonDocument.class)
          .find()
          .forEach(document -> lines.add(name + " " + document.toJson()));
    }
    return String.join("\n", lines.stream().sorted().toList());
  }

  private MongoCollection<BsonDocument> history() {
    return database.collection(Names.HISTORY);
  }

  @Override
  public void close() {
    database.close();
  }
}
