package io.postroad.mongodb.internal.process;

import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.process.ProcessFilter;
import io.postroad.spi.process.StoredProcess;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Filters for processes. Times are compared with the clock of the database. */
public final class ProcessFilters {
  private final ServerTime time;

  ProcessFilters(ServerTime time) {
    this.time = time;
  }

  public static BsonDocument id(UUID id) {
    return new BsonDocument(MessageDocument.ID, MessageDocument.id(id));
  }

  /** Selects a process if the newest entry of its log has this number. */
  static BsonDocument known(UUID id, long seq) {
    return id(id).append(ProcessDocument.LAST_SEQ, new BsonInt64(seq));
  }

  /** Selects the active process that has the business key of this one. */
  static BsonDocument withKeyOf(StoredProcess process) {
    return new BsonDocument(ProcessDocument.TYPE, new BsonString(process.type()))
        .append(ProcessDocument.BUSINESS_KEY, new BsonString(process.identity().businessKey()))
        .append(ProcessDocument.HAS_KEY, BsonBoolean.TRUE);
  }

  /** Selects processes whose timer is due, without some. */
  BsonDocument dueExcept(Collection<BsonValue> some) {
    BsonDocument due = past(ProcessDocument.DUE_AT, Duration.ZERO);
    return some.isEmpty()
        ? due
        : due.append(
            MessageDocument.ID, new BsonDocument("$nin", new BsonArray(List.copyOf(some))));
  }

  /** Selects a process if its timer is due. */
  BsonDocument due(UUID id) {
    return past(ProcessDocument.DUE_AT, Duration.ZERO)
        .append(MessageDocument.ID, MessageDocument.id(id));
  }

  BsonDocument endedBefore(Duration olderThan) {
    return past(ProcessDocument.ENDED_AT, olderThan);
  }

  static BsonDocument active(String type) {
    return new BsonDocument(ProcessDocument.TYPE, new BsonString(type))
        .append(ProcessDocument.IS_ACTIVE, BsonBoolean.TRUE);
  }

  /** Selects processes on a definition; names both values of {@code is_active} for the index. */
  static BsonDocument on(String type, String definition) {
    return new BsonDocument(ProcessDocument.TYPE, new BsonString(type))
        .append(ProcessDocument.IS_ACTIVE, Bson.in(List.of(BsonBoolean.TRUE, BsonBoolean.FALSE)))
        .append(ProcessDocument.DEFINITION, new BsonString(definition));
  }

  static BsonDocument wanted(ProcessFilter filter) {
    BsonDocument wanted = new BsonDocument();
    filter.type().ifPresent(text -> wanted.put(ProcessDocument.TYPE, new BsonString(text)));
    filter
        .businessKey()
        .ifPresent(text -> wanted.put(ProcessDocument.BUSINESS_KEY, new BsonString(text)));
    if (!filter.statuses().isEmpty()) {
      wanted.put(
          ProcessDocument.STATUS,
          Bson.in(filter.statuses().stream().map(BsonString::new).toList()));
    }
    filter
        .definition()
        .ifPresent(text -> wanted.put(ProcessDocument.DEFINITION, new BsonString(text)));
    filter
        .updatedBefore()
        .ifPresent(
            time ->
                wanted.put(
                    ProcessDocument.UPDATED_AT,
                    new BsonDocument("$lt", MessageDocument.time(time))));
    filter
        .after()
        .ifPresent(
            id -> wanted.put(MessageDocument.ID, new BsonDocument("$gt", MessageDocument.id(id))));
    return wanted;
  }

  static BsonDocument log(UUID processId, long afterSeq) {
    return ofProcess(processId)
        .append(ProcessDocument.SEQ, new BsonDocument("$gt", new BsonInt64(afterSeq)));
  }

  static BsonDocument ofProcess(UUID processId) {
    return new BsonDocument(ProcessDocument.PROCESS_ID, MessageDocument.id(processId));
  }

  /** Selects documents whose time has passed; {@code $exists} lets MongoDB use a partial index. */
  private BsonDocument past(String field, Duration ago) {
    return new BsonDocument(field, new BsonDocument("$exists", BsonBoolean.TRUE))
        .append("$expr", Bson.of("$lte", Bson.field(field), time.plus(ago.negated())));
  }
}
