package io.postroad.mongodb.internal.process;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.process.StoredDefinition;
import io.postroad.spi.process.StoredDefinitions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Keeps the definitions of processes; {@code _id} is type and hash. */
public final class ProcessDefinitions implements StoredDefinitions {
  private static final String GRAPH = "graph";
  private static final String KEPT_AT = "kept_at";
  private static final String KEPT_SINCE = "kept_since";
  private static final String IS_OLD = "is_old";
  private static final int RUNS = 2;
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  private final MongoCollection<BsonDocument> definitions;
  private final MongoCollection<BsonDocument> processes;
  private final ServerTime time;

  public ProcessDefinitions(Database database) {
    this.definitions = database.collection(Names.PROCESS_DEFINITION);
    this.processes = database.collection(Names.PROCESS);
    this.time = database.time();
  }

  private static BsonDocument id(String type, String hash) {
    return new BsonDocument(ProcessDocument.TYPE, new BsonString(type))
        .append(ProcessDocument.DEFINITION, new BsonString(hash));
  }

  /** Tries twice, because two nodes may add the same definition at once. */
  @Override
  public void keep(StoredDefinition definition) {
    for (int run = 1; run <= RUNS; run++) {
      if (Database.call(
          "keep the definition of process " + definition.type(), () -> upsert(definition))) {
        return;
      }
    }
    throw new PostroadException(
        "cannot keep the definition of process %s with hash %s: another graph has this hash"
            .formatted(definition.type(), definition.hash()));
  }

  private boolean upsert(StoredDefinition definition) {
    BsonDocument same =
        new BsonDocument(MessageDocument.ID, id(definition.type(), definition.hash()))
            .append(GRAPH, new BsonString(definition.graph()));
    BsonDocument kept =
        new BsonDocument(KEPT_AT, Bson.of("$max", Bson.field(KEPT_AT), time.now()))
            .append(KEPT_SINCE, Bson.of("$ifNull", Bson.field(KEPT_SINCE), time.now()));
    try {
      definitions.updateOne(same, List.of(Bson.set(kept)), UPSERT);
      return true;
    } catch (MongoException failed) {
      if (!MongoErrors.isDuplicateKey(failed)) {
        throw failed;
      }
      return false;
    }
  }

  @Override
  public Optional<StoredDefinition> find(String type, String hash) {
    return read(type, hash)
        .map(found -> new StoredDefinition(type, hash, MessageDocument.text(found, GRAPH)));
  }

  @Override
  public Optional<Instant> keptSince(String type, String hash) {
    return read(type, hash)
        .map(found -> Instant.ofEpochMilli(found.getDateTime(KEPT_SINCE).getValue()));
  }

  private Optional<BsonDocument> read(String type, String hash) {
    BsonDocument wanted = new BsonDocument(MessageDocument.ID, id(type, hash));
    return Database.call(
        "look for a definition of process " + type,
        () -> Optional.ofNullable(definitions.find(wanted).first()));
  }

  /** Reads all definitions, which are few. A definition that is kept again meanwhile stays. */
  public void purge(Duration olderThan) {
    BsonDocument old = Bson.of("$lt", Bson.field(KEPT_AT), time.plus(olderThan.negated()));
    List<BsonDocument> all =
        definitions
            .find()
            .projection(new BsonDocument(KEPT_AT, new BsonInt32(1)).append(IS_OLD, old))
            .into(new ArrayList<>());
    Map<String, BsonDateTime> newest = new HashMap<>();
    for (BsonDocument each : all) {
      newest.merge(type(each), each.getDateTime(KEPT_AT), (a, b) -> a.compareTo(b) > 0 ? a : b);
    }
    for (BsonDocument each : all) {
      if (each.getBoolean(IS_OLD).getValue()
          && each.getDateTime(KEPT_AT).compareTo(newest.get(type(each))) < 0
          && isUnused(each)) {
        definitions.deleteOne(
            new BsonDocument(MessageDocument.ID, each.get(MessageDocument.ID))
                .append(KEPT_AT, each.get(KEPT_AT)));
      }
    }
  }

  private static String type(BsonDocument definition) {
    return MessageDocument.text(definition.getDocument(MessageDocument.ID), ProcessDocument.TYPE);
  }

  private boolean isUnused(BsonDocument definition) {
    BsonDocument id = definition.getDocument(MessageDocument.ID);
    return processes
            .find(
                ProcessFilters.on(
                    MessageDocument.text(id, ProcessDocument.TYPE),
                    MessageDocument.text(id, ProcessDocument.DEFINITION)))
            .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
            .first()
        == null;
  }
}
