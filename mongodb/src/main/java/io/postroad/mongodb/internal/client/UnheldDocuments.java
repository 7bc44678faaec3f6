package io.postroad.mongodb.internal.client;

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
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonValue;

/**
 * Tells which documents no open transaction has written, without waiting for one: inside a
 * transaction MongoDB answers a conflict at once. It is tried in one of its own that is never
 * committed, with all of them, then with halves.
 */
public final class UnheldDocuments {
  private static final ClientSessionOptions SESSION =
      ClientSessionOptions.builder()
          .defaultTransactionOptions(
              TransactionOptions.builder()
                  .readConcern(ReadConcern.LOCAL)
                  .writeConcern(WriteConcern.MAJORITY)
                  .readPreference(ReadPreference.primary())
                  .build())
          .build();

  private final MongoClient client;
  private final MongoCollection<BsonDocument> documents;

  public UnheldDocuments(Database database, String collection) {
    this.client = database.client();
    this.documents = database.callersCollection(collection);
  }

  /** Returns those that no transaction held a moment ago, in the same order. */
  public List<BsonValue> among(List<BsonValue> ids) {
    if (ids.isEmpty() || canBeWritten(ids)) {
      return ids;
    }
    if (ids.size() == 1) {
      return List.of();
    }
    int half = ids.size() / 2;
    List<BsonValue> unheld = new ArrayList<>(among(ids.subList(0, half)));
    unheld.addAll(among(ids.subList(half, ids.size())));
    return unheld;
  }

  private boolean canBeWritten(List<BsonValue> ids) {
    try (ClientSession session = client.startSession(SESSION)) {
      session.startTransaction();
      documents.updateMany(
          session,
          new BsonDocument(MessageDocument.ID, Bson.in(ids)),
          Bson.set(new BsonDocument("probe", new BsonObjectId())));
      return true;
    } catch (MongoException failed) {
      if (!MongoErrors.isWriteConflict(failed)) {
        throw failed;
      }
      return false;
    }
  }
}
