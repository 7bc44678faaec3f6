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
import io.postroad.spi.process.ProcessBusyException;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Starts, locks and saves processes in the transaction of a caller. {@link ProcessTimers} finds the
 * processes that are due.
 */
public final class ProcessWriter implements StoredProcesses<ClientSession> {
  private static final FindOneAndUpdateOptions UPSERT =
      new FindOneAndUpdateOptions()
          .upsert(true)
          .returnDocument(ReturnDocument.BEFORE)
          .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)));
  private static final FindOneAndUpdateOptions AFTER =
      new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER);

  /** The fields that a process may lack. */
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
  private final JoinedCalls calls;
  private final ProcessTimers timers;

  public ProcessWriter(Database database) {
    this.calls = JoinedCalls.of(database);
    this.timers = new ProcessTimers(database);
    this.processes = database.callersCollection(Names.PROCESS);
    this.log = database.callersCollection(Names.PROCESS_LOG);
    this.latest = database.latest(Names.PROCESS);
    this.time = database.time();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Uses an upsert, because an insert that meets another document would end the transaction. Two
   * open transactions that add the same business key are a write conflict: MongoDB ends the second
   * one with the label that lets it run again.
   *
   * @throws IllegalArgumentException when it has more than 1 MiB of data; nothing was written
   */
  @Override
  public Optional<UUID> start(
      ClientSession session, StoredProcess process, List<ProcessLogEntry> entries) {
    return calls.call(
        session, "start", "start process " + process.id(), () -> insert(session, process, entries));
  }

  private Optional<UUID> insert(
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

  /** A taken id fails for good. After a taken business key the next run finds its process. */
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

  @Override
  public Optional<Locked> lock(ClientSession session, UUID id) {
    return calls.call(
        session, "lock", "lock process " + id, () -> lock(session, ProcessFilters.id(id)));
  }

  @Override
  public Optional<Locked> lockNow(ClientSession session, UUID id) {
    return calls.call(
        session,
        "lockNow",
        "lock process " + id,
        () -> {
          try {
            return lock(session, ProcessFilters.id(id));
          } catch (MongoException failed) {
            // Without the driver's exception, whose label would have the transaction repeated.
            throw MongoErrors.isWriteConflict(failed) ? new ProcessBusyException(id) : failed;
          }
        });
  }

  /**
   * {@inheritDoc}
   *
   * <p>Tries each of the ten processes that are due longest, the longest first and the others in
   * any order, in a transaction that it never commits, to see whether it is free; then the next
   * ten.
   */
  @Override
  public Optional<Locked> lockDue(ClientSession session) {
    return calls.call(
        session,
        "lockDue",
        "lock a process whose timer is due",
        () -> timers.firstFree(session).flatMap(which -> lock(session, which)));
  }

  /** Changes the document, so that a transaction which locks it too is a write conflict. */
  private Optional<Locked> lock(ClientSession session, BsonDocument which) {
    BsonDocument lock =
        new BsonDocument(
                ProcessDocument.LOCKS,
                Bson.of(
                    "$add",
                    Bson.of("$ifNull", Bson.field(ProcessDocument.LOCKS), new BsonInt64(0)),
                    new BsonInt64(1)))
            .append(ProcessDocument.LOCKED_AT, time.now());
    return Optional.ofNullable(
            processes.findOneAndUpdate(session, which, List.of(Bson.set(lock)), AFTER))
        .map(ProcessDocument::locked);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException when it has more than 1 MiB of data; nothing was written
   */
  @Override
  public void save(ClientSession session, StoredProcess process, List<ProcessLogEntry> entries) {
    save(
        session,
        ProcessFilters.id(process.id()),
        process,
        entries,
        () ->
            new PostroadException(
                "could not save process %s: there is none, or it was purged; roll back"
                    .formatted(process.id())));
  }

  /**
   * {@inheritDoc}
   *
   * <p>A transaction that changes the process at the same time is a write conflict: MongoDB has one
   * of both repeated.
   */
  @Override
  public void saveKnown(
      ClientSession session, long knownSeq, StoredProcess process, List<ProcessLogEntry> entries) {
    save(
        session,
        ProcessFilters.known(process.id(), knownSeq),
        process,
        entries,
        () -> ChangedMeanwhileException.ofProcess(process.id(), knownSeq));
  }

  private void save(
      ClientSession session,
      BsonDocument which,
      StoredProcess process,
      List<ProcessLogEntry> entries,
      Supplier<PostroadException> missing) {
    calls.run(
        session,
        "save",
        "save process " + process.id(),
        () -> {
          ProcessDocument.requireStorable(process);
          if (processes.updateOne(session, which, saved(process)).getMatchedCount() != 1) {
            throw missing.get();
          }
          write(session, entries);
        });
  }

  @Override
  public void postpone(UUID id, Duration delay) {
    timers.postpone(id, delay);
  }

  @Override
  public Instant nearlyNow(ClientSession session) {
    return Database.call("read the database's clock", time::nearlyNow);
  }

  /** Returns a pipeline, because {@code has_key} depends on another field of the document. */
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
