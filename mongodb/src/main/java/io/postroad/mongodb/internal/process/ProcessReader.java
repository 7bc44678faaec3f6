package io.postroad.mongodb.internal.process;

import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.ProcessFilter;
import io.postroad.spi.ProcessLogEntry;
import io.postroad.spi.StoredProcess;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** Looks processes and their logs up, and counts them. */
public final class ProcessReader {
  private static final String COUNT = "n";
  private static final BsonDocument BY_ID = ascending(MessageDocument.ID);
  private static final BsonDocument BY_SEQ = ascending(ProcessDocument.SEQ);

  private final MongoCollection<BsonDocument> processes;
  private final MongoCollection<BsonDocument> log;

  public ProcessReader(Database database) {
    this.processes = database.collection(Names.PROCESS);
    this.log = database.collection(Names.PROCESS_LOG);
  }

  public Optional<StoredProcess> find(UUID id) {
    return Optional.ofNullable(processes.find(ProcessFilters.id(id)).first())
        .map(ProcessDocument::stored);
  }

  public List<StoredProcess> list(ProcessFilter filter, int limit) {
    return processes
        .find(ProcessFilters.wanted(filter))
        .sort(BY_ID)
        .limit(limit)
        .map(ProcessDocument::stored)
        .into(new ArrayList<>());
  }

  /** Sorted, so that the index of statuses is read and no document. */
  public Map<String, Long> counts() {
    return counted(
        List.of(
            new BsonDocument("$sort", ascending(ProcessDocument.STATUS)),
            countBy(ProcessDocument.STATUS)));
  }

  public Map<String, Long> live(String type) {
    return counted(
        List.of(
            new BsonDocument("$match", ProcessFilters.active(type)),
            countBy(ProcessDocument.DEFINITION)));
  }

  private Map<String, Long> counted(List<BsonDocument> pipeline) {
    Map<String, Long> counts = new LinkedHashMap<>();
    processes
        .aggregate(pipeline)
        .forEach(
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

  public List<ProcessLogEntry> log(UUID processId, long afterSeq, int limit) {
    return log.find(ProcessFilters.log(processId, afterSeq))
        .sort(BY_SEQ)
        .limit(limit)
        .map(ProcessDocument::entry)
        .into(new ArrayList<>());
  }

  private static BsonDocument ascending(String field) {
    return new BsonDocument(field, new BsonInt32(1));
  }
}
