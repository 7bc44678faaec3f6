package io.postroad.mongodb.internal.admin;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.DeadLetterStore;
import io.postroad.store.AuditEntry;
import io.postroad.store.DeadLetter;
import io.postroad.store.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The decisions of operators, of both kinds of stores. */
public final class AuditTrail {
  private static final String AT = "at";
  private static final String BY = "by";
  private static final String ACTION = "action";
  private static final String SUBJECT = "subject";
  private static final String REASON = "reason";
  private static final String DETAIL = "detail";

  private final MongoCollection<BsonDocument> writing;
  private final MongoCollection<BsonDocument> entries;

  public AuditTrail(Database database) {
    this.writing = database.callersCollection(Names.AUDIT);
    this.entries = database.collection(Names.AUDIT);
  }

  /** Writes an entry for each dead letter, in the transaction that changes them. */
  void write(
      ClientSession session,
      BsonDateTime at,
      String action,
      Decision decision,
      List<DeadLetter> letters,
      Function<DeadLetter, String> detail) {
    List<BsonDocument> written = new ArrayList<>(letters.size());
    for (DeadLetter letter : letters) {
      written.add(document(at, action, letter.id().toString(), decision, detail.apply(letter)));
    }
    writing.insertMany(session, written);
  }

  /** Writes one entry, in the transaction that changes its subject. */
  void write(
      ClientSession session,
      BsonDateTime at,
      String action,
      String subject,
      Decision decision,
      String detail) {
    writing.insertOne(session, document(at, action, subject, decision, detail));
  }

  private static BsonDocument document(
      BsonDateTime at, String action, String subject, Decision decision, String detail) {
    return new BsonDocument(MessageDocument.ID, new BsonObjectId())
        .append(AT, at)
        .append(BY, new BsonString(decision.by()))
        .append(ACTION, new BsonString(action))
        .append(SUBJECT, new BsonString(subject))
        .append(REASON, new BsonString(decision.reason()))
        .append(DETAIL, new BsonString(detail));
  }

  List<AuditEntry> read(Optional<String> subject, int limit) {
    DeadLetterStore.checkLimit(limit);
    BsonDocument which = new BsonDocument();
    subject.ifPresent(text -> which.append(SUBJECT, new BsonString(text)));
    BsonDocument latestFirst =
        new BsonDocument(AT, new BsonInt32(-1)).append(MessageDocument.ID, new BsonInt32(-1));
    return Database.call(
        "read the audit",
        () ->
            entries
                .find(which)
                .sort(latestFirst)
                .limit(limit)
                .map(AuditTrail::entry)
                .into(new ArrayList<>()));
  }

  private static AuditEntry entry(BsonDocument document) {
    return new AuditEntry(
        MessageDocument.instant(document, AT),
        MessageDocument.text(document, BY),
        MessageDocument.text(document, ACTION),
        MessageDocument.text(document, SUBJECT),
        MessageDocument.text(document, REASON),
        MessageDocument.text(document, DETAIL));
  }

  int purge(Instant before, int limit) {
    DeadLetterStore.checkLimit(limit);
    BsonDocument old = new BsonDocument(AT, new BsonDocument("$lt", MessageDocument.time(before)));
    return Database.call(
        "purge the audit",
        () -> {
          List<BsonValue> ids =
              entries
                  .find(old)
                  .sort(new BsonDocument(AT, new BsonInt32(1)))
                  .limit(limit)
                  .projection(new BsonDocument(MessageDocument.ID, new BsonInt32(1)))
                  .map(entry -> (BsonValue) entry.getObjectId(MessageDocument.ID))
                  .into(new ArrayList<>());
          return ids.isEmpty()
              ? 0
              : (int)
                  entries
                      .deleteMany(new BsonDocument(MessageDocument.ID, Bson.in(ids)))
                      .getDeletedCount();
        });
  }
}
