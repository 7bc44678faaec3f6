package io.postroad.mongodb.internal.process;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.ProcessStore.Locked;
import io.postroad.spi.StoredProcess;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** START, LOCK and SAVE in the caller's session. */
public final class ProcessSteps {
  private static final FindOneAndUpdateOptions UPSERT =
      new FindOneAndUpdateOptions()
          .upsert(true)
          .returnDocument(ReturnDocument.BEFORE)
          .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)));
  private static final FindOneAndUpdateOptions AFTER =
      new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

  /** What a process may not have. */
  private static final List<String> OPTIONAL =
      List.of(
          ProcessDocument.FAILURE_KIND,
          ProcessDocument.FAILURE,
          ProcessDocument.DUE_AT,
          ProcessDocument.ENDED_AT);

  private final MongoCollection<BsonDocument> processes;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<BsonDocument> latest;
  private final ServerTime time;

  public ProcessSteps(Database database) {
    this.processes = database.callersCollection(Names.PROCESS);
    this.log = database.callersCollection(Names.PROCESS_LOG);
    this.latest = database.latest(Names.PROCESS);
    this.time = database.time();
  }

  /**
   * Adds a process where its business key has none that is active. An upsert, because an insert
   * that meets another would end the transaction. Two open transactions that add the same are a
   * write conflict: MongoDB ends the second one with the label that lets it run again.
   */
  public Optional<UUID> start(
      ClientSession session, StoredProcess process, List<ProcessLogEntry> entries) {
    ProcessDocument.requireStorable(process);
    BsonDocument fresh = ProcessDocument.fresh(process);
    try {
      if (ProcessDocument.holdsKey(process)) {
        @Nullable BsonDocument active =
            processes.findOneAndUpdate(
                session,
                ProcessFilters.withKeyOf(process),
                new BsonDocument("$setOnInsert", fresh),
                UPSERT);
        if (active != null) {
          return Optional.of(MessageDocument.id(active));
        }
      } else {
        processes.insertOne(session, fresh);
      }
    } catch (MongoException failed) {
      throw MongoErrors.isDuplicateKey(failed) ? duplicate(process, failed) : failed;
    }
    write(session, entries);
    return Optional.empty();
  }

  /** Of the id: no run ever works. Of the business key: the next run finds who has it. */
  private RuntimeException duplicate(StoredProcess process, MongoException failed) {
    @Nullable BsonDocument sameId =
        latest
            .find(ProcessFilters.id(process.id()))
            .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
            .first();
    return sameId == null
        ? MongoErrors.again(
            "another transaction has started a process with the business key of process %s; run this one again"
                .formatted(process.id()),
            failed)
        : new PostroadException(
            "could not start process %s: its id is taken; roll back, and give every process an id of its own"
                .formatted(process.id()),
            failed);
  }

  /** Writes to it, so that whoever else locks it meanwhile collides with this transaction. */
  public Optional<Locked> lock(ClientSession session, BsonDocument which) {
    BsonDocument marks =
        new BsonDocument(
                ProcessDocument.LOCKS,
                Bson.of(
                    "$add",
                    Bson.of("$ifNull", Bson.field(ProcessDocument.LOCKS), new BsonInt64(0)),
                    new BsonInt64(1)))
            .append(ProcessDocument.LOCKED_AT, time.now());
    return Optional.ofNullable(
            processes.findOneAndUpdate(session, which, List.of(Bson.set(marks)), AFTER))
        .map(ProcessDocument::locked);
  }

  public void save(ClientSession session, StoredProcess process, List<ProcessLogEntry> entries) {
    if (!isSaved(session, ProcessFilters.id(process.id()), process)) {
      throw new PostroadException(
          "could not save process %s: there is none, or it was purged; roll back"
              .formatted(process.id()));
    }
    write(session, entries);
  }

  /** Who writes to it at the same time is a write conflict: MongoDB has one of both run again. */
  public void saveKnown(
      ClientSession session, long knownSeq, StoredProcess process, List<ProcessLogEntry> entries) {
    if (!isSaved(session, ProcessFilters.known(process.id(), knownSeq), process)) {
      throw ChangedMeanwhileException.ofProcess(process.id(), knownSeq);
    }
    write(session, entries);
  }

  private boolean isSaved(ClientSession session, BsonDocument which, StoredProcess process) {
    ProcessDocument.requireStorable(process);
    return processes.updateOne(session, which, saved(process)).getMatchedCount() == 1;
  }

  /** A pipeline, because the business key depends on what the document says of itself. */
  private static List<BsonDocument> saved(StoredProcess process) {
    BsonDocument state = ProcessDocument.state(process);
    BsonDocument fields = new BsonDocument(32);
    state.forEach((field, value) -> fields.put(field, literal(value)));
    fields.put(
        ProcessDocument.HAS_KEY,
        Bson.of(
            "$cond",
            Bson.of(
                "$and",
                Bson.field(ProcessDocument.IS_UNIQUE),
                literal(BsonBoolean.valueOf(process.isActive()))),
            BsonBoolean.TRUE,
            new BsonString("$$REMOVE")));
    String[] absent =
        OPTIONAL.stream().filter(field -> !state.containsKey(field)).toArray(String[]::new);
    return Stream.of(
            Optional.of(Bson.set(fields)),
            absent.length == 0 ? Optional.<BsonDocument>empty() : Optional.of(Bson.unset(absent)))
        .flatMap(Optional::stream)
        .toList();
  }

  private static BsonDocument literal(BsonValue value) {
    return new BsonDocument("$literal", value);
  }

  private void write(ClientSession session, List<ProcessLogEntry> entries) {
    if (!entries.isEmpty()) {
      log.insertMany(session, entries.stream().map(ProcessDocument::write).toList());
    }
  }
}
