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
import io.postroad.spi.ProcessStore.Locked;
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

/** Timers that are due: LOCK of the longest due that is free, and POSTPONE. */
public final class ProcessTimers {
  /** As many are looked at together; more would all be found again by every node. */
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
  private final ProcessSteps steps;
  private final UnheldDocuments unheld;
  private final HandlerSessions sessions;
  private final ServerTime time;

  public ProcessTimers(Database database, ProcessSteps steps) {
    this.client = database.client();
    this.processes = database.callersCollection(Names.PROCESS);
    this.filters = new ProcessFilters(database.time());
    this.steps = steps;
    this.unheld = new UnheldDocuments(database, Names.PROCESS);
    this.sessions = new HandlerSessions(database);
    this.time = database.time();
  }

  /**
   * A conflict would end the caller's transaction, so each is tried before in one that is never
   * committed. Whoever finds the longest due held goes for any of the next few: nodes that all went
   * for the second one would only meet there.
   */
  public Optional<Locked> lockDue(ClientSession session) {
    List<BsonValue> held = new ArrayList<>();
    while (true) {
      List<BsonValue> due = due(session, held);
      if (due.isEmpty()) {
        return Optional.empty();
      }
      Collections.shuffle(due.subList(1, due.size()), ThreadLocalRandom.current());
      for (BsonValue id : due) {
        if (!unheld.among(List.of(id)).isEmpty()) {
          return steps.lock(session, new BsonDocument(MessageDocument.ID, id));
        }
        // The node that moves it may stand still or be dead: then it is free at the next look.
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

  /** In a transaction, where a conflict is told at once: outside it would be waited for. */
  public void postpone(UUID id, Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay must not be negative, got " + delay);
    }
    BsonDocument later = new BsonDocument(ProcessDocument.DUE_AT, time.plus(delay));
    try (ClientSession session = client.startSession(SESSION)) {
      session.startTransaction();
      processes.updateOne(session, filters.due(id), List.of(Bson.set(later)));
      session.commitTransaction();
    } catch (MongoException failed) {
      if (!MongoErrors.isWriteConflict(failed)) {
        throw failed;
      }
    }
  }
}
