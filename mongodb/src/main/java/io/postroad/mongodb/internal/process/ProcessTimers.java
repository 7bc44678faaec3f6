package io.postroad.mongodb.internal.process;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.mongodb.internal.client.UnheldDocuments;
import io.postroad.mongodb.internal.command.HandlerSessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Finds the process that is due longest and free, and postpones timers. */
final class ProcessTimers {
  /** Candidates of one query; with more, every node would find the same ones again. */
  private static final int AT_ONCE = 10;

  private static final BsonDocument LONGEST_DUE_FIRST =
      new BsonDocument(ProcessDocument.DUE_AT, new BsonInt32(1));
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));
  private static final ClientSessionOptions SESSION =
      ClientSessionOptions.builder()
          .defaultTransactionOptions(
              TransactionOptions.builder()
                  .readConcern(ReadConcern.SNAPSHOT)
                  .writeConcern(WriteConcern.MAJORITY)
                  .readPreference(ReadPreference.primary())
                  .build())
          .build();

  private final MongoClient client;
  private final MongoCollection<BsonDocument> processes;
  private final ProcessFilters filters;
  private final UnheldDocuments unheld;
  private final HandlerSessions sessions;
  private final ServerTime time;

  ProcessTimers(Database database) {
    this.client = database.client();
    this.processes = database.callersCollection(Names.PROCESS);
    this.filters = new ProcessFilters(database.time());
    this.unheld = new UnheldDocuments(database, Names.PROCESS);
    this.sessions = new HandlerSessions(database);
    this.time = database.time();
  }

  /**
   * Returns a filter for the first due process that is free. A conflict would end the transaction
   * of the caller, so each candidate is tried in a transaction that is never committed. A node that
   * finds the first one locked tries the others in any order: nodes that all tried the second one
   * would collide there.
   */
  Optional<BsonDocument> firstFree(ClientSession session) {
    List<BsonValue> held = new ArrayList<>();
    while (true) {
      List<BsonValue> due = due(session, held);
      if (due.isEmpty()) {
        return Optional.empty();
      }
      Collections.shuffle(due.subList(1, due.size()), ThreadLocalRandom.current());
      for (BsonValue id : due) {
        if (!unheld.among(List.of(id)).isEmpty()) {
          return Optional.of(new BsonDocument(MessageDocument.ID, id));
        }
        // A node that has it locked may be frozen or dead; then the next poll finds it free.
        int unused = sessions.endOverdue();
      }
      held.addAll(due);
    }
  }

  private List<BsonValue> due(ClientSession session, List<BsonValue> except) {
    return processes
        .find(session, filters.dueExcept(except))
        .sort(LONGEST_DUE_FIRST)
        .limit(AT_ONCE)
        .projection(ID_ONLY)
        .map(document -> document.get(MessageDocument.ID))
        .into(new ArrayList<>());
  }

  /** Uses a transaction, in which a conflict fails at once; outside of one it would wait. */
  void postpone(UUID id, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay must not be negative, got " + delay);
    }
    BsonDocument later = new BsonDocument(ProcessDocument.DUE_AT, time.plus(delay));
    boolean unused =
        Database.call(
            "postpone the timer of process " + id, () -> postpone(filters.due(id), later));
  }

  private boolean postpone(BsonDocument which, BsonDocument later) {
    try (ClientSession session = client.startSession(SESSION)) {
      session.startTransaction();
      processes.updateOne(session, which, List.of(Bson.set(later)));
      session.commitTransaction();
      return true;
    } catch (MongoException failed) {
      if (!MongoErrors.isWriteConflict(failed)) {
        throw failed;
      }
      return false;
    }
  }
}
