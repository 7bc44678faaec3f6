package io.postroad.mongodb.internal.process;

import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessQueries;
import io.postroad.spi.process.ProcessStore;
import io.postroad.spi.process.StoredProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** Finds, lists and counts processes, and reads their logs. */
public final class ProcessReader implements ProcessQueries {
  private static final String COUNT = "n";
  private static final BsonDocument BY_ID = ascending(MessageDocument.ID);
  private static final BsonDocument BY_SEQ = ascending(ProcessDocument.SEQ);

  private final MongoCollection<BsonDocument> processes;
  private final MongoCollection<BsonDocument> log;

  public ProcessReader(Database database) {
    this.processes = database.collection(Names.PROCESS);
    this.log = database.collection(Names.PROCESS_LOG);
  }

  @Override
  public Optional<StoredProcess> find(UUID id) {
    return Database.call(
            "look for process " + id,
            () -> Optional.ofNullable(processes.find(ProcessFilters.id(id)).first()))
        .map(ProcessDocument::stored);
  }

  @Override
  public List<StoredProcess> list(ProcessFilter filter, int limit) {
    ProcessStore.checkLimit(limit);
    return Database.call(
        "list processes",
        () ->
            processes
                .find(ProcessFilters.wanted(filter))
                .sort(BY_ID)
                .limit(limit)
                .map(ProcessDocument::stored)
                .into(new ArrayList<>()));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Sorts, so that MongoDB reads the whole index of statuses and no document: do not call it
   * every second when there are millions.
   */
  @Override
  public Map<String, Long> counts() {
    return counted(
        "count processes",
        List.of(
            new BsonDocument("$sort", ascending(ProcessDocument.STATUS)),
            countBy(ProcessDocument.STATUS)));
  }

  @Override
  public Map<String, Long> activeByDefinition(String type) {
    return counted(
        "count the active processes of " + type,
        List.of(
            new BsonDocument("$match", ProcessFilters.active(type)),
            countBy(ProcessDocument.DEFINITION)));
  }

  private Map<String, Long> counted(String what, List<BsonDocument> pipeline) {
    List<BsonDocument> groups =
        Database.call(what, () -> processes.aggregate(pipeline).into(new ArrayList<>()));
    Map<String, Long> counts = new LinkedHashMap<>();
    groups.forEach(
        group ->
            counts.put(
                MessageDocument.text(group, MessageDocument.ID),
                group.getNumber(COUNT).longValue()));
    return counts;
  }

  private static BsonDocument countBy(String field) {
    return new BsonDocument(
        "$group",
        new BsonDocument(MessageDocument.ID, Bson.field(field))
            .append(COUNT, new BsonDocument("$sum", new BsonInt32(1))));
  }

  @Override
  public List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit) {
    ProcessStore.checkLimit(limit);
    return Database.call(
        "read the log of process " + processId,
        () ->
            log.find(ProcessFilters.log(processId, afterSeq))
                .sort(BY_SEQ)
                .limit(limit)
                .map(ProcessDocument::entry)
                .into(new ArrayList<>()));
  }

  private static BsonDocument ascending(String field) {
    return new BsonDocument(field, new BsonInt32(1));
  }
}
