package io.postroad.mongodb.internal.admin;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.spi.PauseStore;
import io.postroad.spi.WakeUps;
import io.postroad.store.AuditEntry;
import io.postroad.store.Decision;
import io.postroad.store.Pause;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The destinations that people have paused, of both stores.
 *
 * <p>Without transactions a pause is written before its entry of the audit, so that one of several
 * callers writes one; after a crash in between, the pause itself has operator and reason, and the
 * entry of its end repeats it. The end of a pause is written down before it is done: a crash in
 * between leaves an entry for something that was not done, and the same call writes a second one.
 */
public final class Pauses implements PauseStore {
  private static final String SINCE = "since";
  private static final String BY = "by";
  private static final String REASON = "reason";

  private final MongoTransactions transactions;
  private final ServerTime time;
  private final AuditTrail audit;
  private final WakeUps wakeUps;
  private final MongoCollection<BsonDocument> pauses;
  private final MongoCollection<BsonDocument> reading;

  public Pauses(
      Database database, MongoTransactions transactions, AuditTrail audit, WakeUps wakeUps) {
    this.transactions = transactions;
    this.time = database.time();
    this.audit = audit;
    this.wakeUps = wakeUps;
    this.pauses = database.callersCollection(Names.PAUSE);
    this.reading = database.collection(Names.PAUSE);
  }

  @Override
  public boolean pause(String destination, Decision decision) {
    PauseStore.checkDestination(destination);
    return transactions.transact(
        "pause destination " + destination, session -> pause(session, destination, decision));
  }

  private boolean pause(ClientSession session, String destination, Decision decision) {
    BsonDateTime now = now();
    BsonDocument pause =
        new BsonDocument(SINCE, now)
            .append(BY, new BsonString(decision.by()))
            .append(REASON, new BsonString(decision.reason()));
    boolean first =
        pauses
                .updateOne(
                    session,
                    byName(destination),
                    new BsonDocument("$setOnInsert", pause),
                    new UpdateOptions().upsert(true))
                .getUpsertedId()
            != null;
    if (first) {
      audit.write(session, now, "pause", destination, decision, AuditEntry.PAUSED);
    }
    return first;
  }

  @Override
  public boolean resume(String destination, Decision decision) {
    PauseStore.checkDestination(destination);
    boolean resumed =
        transactions.transact(
            "resume destination " + destination, session -> resume(session, destination, decision));
    if (resumed) {
      wakeUps.signal();
    }
    return resumed;
  }

  private boolean resume(ClientSession session, String destination, Decision decision) {
    @Nullable BsonDocument pause = pauses.find(session, byName(destination)).first();
    if (pause == null) {
      return false;
    }
    audit.write(session, now(), "resume", destination, decision, AuditEntry.about(read(pause)));
    return pauses.deleteOne(session, byName(destination)).getDeletedCount() == 1;
  }

  @Override
  public List<Pause> list() {
    return Database.call(
        "list paused destinations",
        () ->
            reading
                .find()
                .sort(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
                .map(Pauses::read)
                .into(new ArrayList<>()));
  }

  private static Pause read(BsonDocument pause) {
    return new Pause(
        MessageDocument.text(pause, MessageDocument.ID),
        MessageDocument.instant(pause, SINCE),
        MessageDocument.text(pause, BY),
        MessageDocument.text(pause, REASON));
  }

  private static BsonDocument byName(String destination) {
    return new BsonDocument(MessageDocument.ID, new BsonString(destination));
  }

  private BsonDateTime now() {
    return new BsonDateTime(time.ask().toEpochMilli());
  }
}
