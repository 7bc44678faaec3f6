package io.postroad.mongodb.internal.schema;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import io.postroad.internal.store.SchemaFile;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Which steps a database has seen, and which of their collections and indexes it still has. */
public final class SchemaHistory {
  private final Database database;

  public SchemaHistory(Database database) {
    this.database = database;
  }

  /** Checksums by version; empty when nothing was ever applied. */
  public SortedMap<Integer, String> applied() {
    SortedMap<Integer, String> applied = new TreeMap<>();
    for (BsonDocument step :
        database.collection(Names.HISTORY).find(Filters.type("_id", "number"))) {
      applied.put(step.getNumber("_id").intValue(), step.getString("checksum").getValue());
    }
    return applied;
  }

  /** The command, as mongosh takes it, that writes down that a step was applied. */
  public String record(SchemaFile step) {
    return """
    db.runCommand({
      "update": "%s%s",
      "updates": [
        {
          "q": {"_id": %d},
          "u": [{"$set": {"file": "%s", "checksum": "%s", "applied_at": "$$NOW"}}],
          "upsert": true
        }
      ]
    });
    """
        .formatted(
            database.options().prefix(),
            Names.HISTORY,
            step.version(),
            step.file(),
            step.checksum());
  }

  /** Names of collections and indexes that these commands create and that are not there. */
  public List<String> missing(List<BsonDocument> commands) {
    MongoDatabase own = database.own();
    Set<String> collections = own.listCollectionNames().into(new HashSet<>());
    List<String> missing = new ArrayList<>();
    for (BsonDocument command : commands) {
      if (command.containsKey("create")) {
        String collection = command.getString("create").getValue();
        if (!collections.contains(collection)) {
          missing.add(collection);
        }
      } else if (command.containsKey("createIndexes")) {
        String collection = command.getString("createIndexes").getValue();
        Set<String> present = new HashSet<>();
        if (collections.contains(collection)) {
          own.getCollection(collection, BsonDocument.class)
              .listIndexes(BsonDocument.class)
              .forEach(index -> present.add(index.getString("name").getValue()));
        }
        for (BsonValue index : command.getArray("indexes")) {
          String name = index.asDocument().getString("name").getValue();
          if (!present.contains(name)) {
            missing.add(name);
          }
        }
      }
    }
    return missing;
  }
}
