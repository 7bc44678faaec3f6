package io.postroad.mongodb.internal.process;

import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.spi.process.ProcessIdentity;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessSummary;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * Converts processes and entries of their logs to documents and back; {@code _id} is the id of
 * each. Absent values are left out. Times have milliseconds; a finer timer is rounded up.
 */
public final class ProcessDocument {
  static final String TYPE = "process_type";
  static final String BUSINESS_KEY = "business_key";
  static final String IS_UNIQUE = "is_unique";
  static final String STATUS = "status";
  static final String IS_ACTIVE = "is_active";
  static final String CURRENT_STEP = "current_step";
  static final String DATA = "data";
  static final String RETRIES = "retries";
  static final String DEFINITION = "definition";
  static final String PAUSED = "paused";
  static final String FAILURE_KIND = "failure_kind";
  static final String FAILURE = "failure";
  static final String SNAPSHOT = "marking";
  static final String DUE_AT = "due_at";
  static final String LAST_SEQ = "last_seq";
  static final String CREATED_AT = "created_at";
  static final String UPDATED_AT = "updated_at";

  /** The {@link #UPDATED_AT} of a process that has ended; purge uses it. */
  static final String ENDED_AT = "ended_at";

  /** Present while the process is unique and active: no other may have its business key. */
  static final String HAS_KEY = "has_key";

  /** The number of locks so far; each lock changes it. */
  static final String LOCKS = "locks";

  static final String LOCKED_AT = "locked_at";

  static final String PROCESS_ID = "process_id";
  static final String SEQ = "seq";
  private static final String EVENT_TYPE = "event_type";
  private static final String STEP_NAME = "step_name";
  private static final String EVENT_DATA = "event_data";

  /** The largest data of a process, in bytes; a limit of the design, not of MongoDB. */
  static final int MOST_DATA = 1 << 20;

  private ProcessDocument() {}

  /** Returns the document of a process that is started. */
  public static BsonDocument fresh(StoredProcess process) {
    BsonDocument document = new BsonDocument(32);
    ProcessIdentity identity = process.identity();
    document.put(MessageDocument.ID, MessageDocument.id(identity.id()));
    document.put(TYPE, new BsonString(identity.type()));
    document.put(BUSINESS_KEY, new BsonString(identity.businessKey()));
    document.put(IS_UNIQUE, BsonBoolean.valueOf(identity.isUnique()));
    document.put(DEFINITION, new BsonString(identity.definition()));
    document.put(CREATED_AT, millis(identity.createdAt()));
    if (holdsKey(process)) {
      document.put(HAS_KEY, BsonBoolean.TRUE);
    }
    document.putAll(state(process));
    return document;
  }

  static boolean holdsKey(StoredProcess process) {
    return process.identity().isUnique() && process.isActive();
  }

  /** Returns the fields that a save changes, without absent ones. */
  static BsonDocument state(StoredProcess process) {
    BsonDocument state = new BsonDocument(32);
    ProcessSummary summary = process.summary();
    state.put(STATUS, new BsonString(summary.status()));
    state.put(IS_ACTIVE, BsonBoolean.valueOf(summary.isActive()));
    state.put(CURRENT_STEP, new BsonString(summary.currentStep()));
    state.put(DATA, new BsonString(process.data()));
    state.put(RETRIES, new BsonInt32(summary.retries()));
    state.put(PAUSED, BsonBoolean.valueOf(summary.isPaused()));
    summary.failureKind().ifPresent(text -> state.put(FAILURE_KIND, new BsonString(text)));
    summary.failure().ifPresent(text -> state.put(FAILURE, new BsonString(text)));
    state.put(SNAPSHOT, new BsonString(process.snapshot()));
    process.dueAt().ifPresent(time -> state.put(DUE_AT, MessageDocument.time(time)));
    state.put(LAST_SEQ, new BsonInt64(process.lastSeq()));
    state.put(UPDATED_AT, millis(process.updatedAt()));
    if (!process.isActive()) {
      state.put(ENDED_AT, millis(process.updatedAt()));
    }
    return state;
  }

  /** Rounds down to milliseconds. */
  static BsonDateTime millis(Instant exact) {
    return new BsonDateTime(exact.toEpochMilli());
  }

  static StoredProcess stored(BsonDocument document) {
    ProcessIdentity identity =
        new ProcessIdentity(
            MessageDocument.id(document),
            MessageDocument.text(document, TYPE),
            MessageDocument.text(document, BUSINESS_KEY),
            document.getBoolean(IS_UNIQUE).getValue(),
            MessageDocument.text(document, DEFINITION),
            MessageDocument.instant(document, CREATED_AT));
    ProcessSummary summary =
        new ProcessSummary(
            MessageDocument.text(document, STATUS),
            document.getBoolean(IS_ACTIVE).getValue(),
            document.getBoolean(PAUSED).getValue(),
            MessageDocument.text(document, CURRENT_STEP),
            document.getNumber(RETRIES).intValue(),
            MessageDocument.optional(document, FAILURE_KIND),
            MessageDocument.optional(document, FAILURE));
    return new StoredProcess(
        identity,
        summary,
        MessageDocument.text(document, DATA),
        MessageDocument.text(document, SNAPSHOT),
        document.isDateTime(DUE_AT)
            ? Optional.of(MessageDocument.instant(document, DUE_AT))
            : Optional.empty(),
        document.getNumber(LAST_SEQ).longValue(),
        MessageDocument.instant(document, UPDATED_AT));
  }

  /** Reads the process of a document that was just locked. */
  static Locked locked(BsonDocument document) {
    return new Locked(stored(document), MessageDocument.instant(document, LOCKED_AT));
  }

  public static BsonDocument write(ProcessLogEntry entry) {
    BsonDocument document =
        new BsonDocument(MessageDocument.ID, MessageDocument.id(entry.id()))
            .append(PROCESS_ID, MessageDocument.id(entry.processId()))
            .append(SEQ, new BsonInt64(entry.seq()))
            .append(EVENT_TYPE, new BsonString(entry.type()))
            .append(EVENT_DATA, new BsonString(entry.data()))
            .append(CREATED_AT, millis(entry.createdAt()));
    entry.step().ifPresent(step -> document.put(STEP_NAME, new BsonString(step)));
    return document;
  }

  static ProcessLogEntry entry(BsonDocument document) {
    return new ProcessLogEntry(
        MessageDocument.id(document),
        MessageDocument.uuid(document, PROCESS_ID),
        document.getNumber(SEQ).longValue(),
        MessageDocument.text(document, EVENT_TYPE),
        MessageDocument.optional(document, STEP_NAME),
        MessageDocument.text(document, EVENT_DATA),
        MessageDocument.instant(document, CREATED_AT));
  }

  /** Refuses data that is too large, before a call writes anything. */
  static void requireStorable(StoredProcess process) {
    int size = process.data().length();
    if (size * 3L > MOST_DATA) {
      size = process.data().getBytes(StandardCharsets.UTF_8).length;
    }
    if (size > MOST_DATA) {
      throw new IllegalArgumentException(
          "the data of process %s must not exceed %d bytes on MongoDB, got %d; keep large values elsewhere, and their keys in the data"
              .formatted(process.id(), MOST_DATA, size));
    }
  }
}
