package io.postroad.mongodb.internal.append;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.UpdateOneModel;
import io.postroad.internal.store.Deduplication;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Takes deduplication keys for messages, in the caller's transaction.
 *
 * <p>A duplicate key would end the transaction, so keys are looked up before they are inserted. A
 * transaction that inserts one that another open transaction has inserted gets a write conflict,
 * which ends the transaction too; {@link #awaitTakers} makes that rare.
 */
public final class DedupKeys {
  static final String MESSAGE_ID = "message_id";
  public static final String EXPIRES_AT = "expires_at";

  /** Field of the one document, with the empty key, that {@link #awaitTakers} runs into. */
  static final String PROBE = "probe";

  private static final long WAIT_SECONDS = 10;

  private final Database database;
  private final MongoCollection<BsonDocument> keys;

  /** Keys that open transactions of this process have taken, so that none waits for itself. */
  private final Map<ClientSession, Own> own = Collections.synchronizedMap(new WeakHashMap<>());

  private record Own(long transaction, Set<String> keys) {}

  public DedupKeys(Database database) {
    this.database = database;
    this.keys = database.callersCollection(Names.DEDUP).withWriteConcern(WriteConcern.W1);
  }

  Deduplication take(ClientSession session, List<Message> messages, Duration window) {
    Map<String, UUID> wanted = Deduplication.wanted(messages);
    if (wanted.isEmpty()) {
      return Deduplication.NONE;
    }
    Set<String> ours = ours(session);
    awaitTakers(wanted.keySet().stream().filter(key -> !ours.contains(key)).toList());
    Map<String, UUID> holders = new HashMap<>(wanted);
    Set<String> won = new HashSet<>(wanted.keySet());
    Set<String> expired = new HashSet<>();
    for (BsonDocument held : find(session, wanted.keySet())) {
      String key = MessageDocument.text(held, MessageDocument.ID);
      if (held.getBoolean("holds").getValue()) {
        won.remove(key);
        holders.put(key, MessageDocument.uuid(held, MESSAGE_ID));
      } else {
        expired.add(key);
      }
    }
    write(session, won, expired, wanted, window);
    ours.addAll(won);
    return new Deduplication(won, holders);
  }

  /**
   * Waits for transactions that are taking one of these keys, before the caller's transaction looks
   * (and so, if this is the first it does, before its snapshot is made). Writes nothing: each
   * insert fails, at the latest because of the unique {@link #PROBE}, but not before MongoDB has
   * waited for the open transaction that has the same key. Outside the session, because there it
   * would not wait but end the transaction.
   */
  private void awaitTakers(List<String> wanted) {
    if (wanted.isEmpty()) {
      return;
    }
    List<BsonDocument> probes =
        wanted.stream()
            .map(key -> new BsonDocument(MessageDocument.ID, new BsonString(key)))
            .map(probe -> probe.append(PROBE, BsonBoolean.TRUE))
            .toList();
    try {
      keys.withTimeout(WAIT_SECONDS, TimeUnit.SECONDS)
          .insertMany(probes, new InsertManyOptions().ordered(false));
    } catch (MongoBulkWriteException expected) {
      return;
    } catch (MongoException failed) {
      if (!MongoErrors.isTimeout(failed) && !MongoErrors.isDuplicateKey(failed)) {
        throw failed;
      }
      return;
    }
    throw new IllegalStateException(
        "the collection %s lacks its document with %s, so keys are not kept apart; see MongoSchema"
            .formatted(Names.DEDUP, PROBE));
  }

  private Iterable<BsonDocument> find(ClientSession session, Set<String> wanted) {
    BsonArray ids = new BsonArray(wanted.stream().<BsonValue>map(BsonString::new).toList());
    BsonDocument holds =
        new BsonDocument(
            "$gt", new BsonArray(List.of(new BsonString("$" + EXPIRES_AT), database.time().now())));
    return keys.find(session, new BsonDocument(MessageDocument.ID, new BsonDocument("$in", ids)))
        .projection(new BsonDocument(MESSAGE_ID, new BsonInt32(1)).append("holds", holds));
  }

  private void write(
      ClientSession session,
      Set<String> won,
      Set<String> expired,
      Map<String, UUID> wanted,
      Duration window) {
    if (won.isEmpty()) {
      return;
    }
    BsonDateTime expiresAt =
        new BsonDateTime(database.time().floor().getValue() + window.toMillis());
    List<BsonDocument> fresh = new ArrayList<>();
    List<UpdateOneModel<BsonDocument>> again = new ArrayList<>();
    for (String key : won) {
      BsonDocument id = new BsonDocument(MessageDocument.ID, new BsonString(key));
      BsonBinary message = MessageDocument.id(wanted.getOrDefault(key, new UUID(0, 0)));
      if (expired.contains(key)) {
        BsonDocument holder = new BsonDocument(MESSAGE_ID, message).append(EXPIRES_AT, expiresAt);
        again.add(new UpdateOneModel<>(id, new BsonDocument("$set", holder)));
      } else {
        fresh.add(id.append(MESSAGE_ID, message).append(EXPIRES_AT, expiresAt));
      }
    }
    try {
      if (!again.isEmpty()) {
        keys.bulkWrite(session, again);
      }
      if (!fresh.isEmpty()) {
        keys.insertMany(session, fresh);
      }
    } catch (MongoException failed) {
      if (MongoErrors.isDuplicateKey(failed)) {
        throw MongoErrors.again(
            "a deduplication key was taken by another transaction meanwhile", failed);
      }
      throw failed;
    }
  }

  private Set<String> ours(ClientSession session) {
    long transaction = session.getServerSession().getTransactionNumber();
    @Nullable Own known = own.get(session);
    if (known == null || known.transaction() != transaction) {
      known = new Own(transaction, new HashSet<>());
      own.put(session, known);
    }
    return known.keys();
  }
}
