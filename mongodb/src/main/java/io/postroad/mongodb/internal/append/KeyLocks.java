package io.postroad.mongodb.internal.append;

import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOptions;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.Rerun;
import io.postroad.mongodb.internal.client.TransactionCheck;
import io.postroad.store.OrderKey;
import java.time.Duration;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;

/**
 * Locks keys: writes a document per key in the caller's transaction, which no other transaction can
 * write until it has ended.
 *
 * <p>MongoDB does not let a transaction wait for another one: it ends the second with a write
 * conflict. As the first thing that a transaction does, a lock waits all the same, because such a
 * transaction can be begun anew without a visible effect. Later, the conflict is the caller's, with
 * the label that lets a unit of work run again; it is told when the other one has ended, so that
 * units do not run in vain.
 */
public final class KeyLocks {
  /** Keys share so many documents, so that those do not become more and more. */
  private static final int SLOTS = 4_096;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Database database;
  private final TransactionCheck check;
  private final MongoCollection<BsonDocument> locks;

  public KeyLocks(Database database, TransactionCheck check) {
    this.database = database;
    this.check = check;
    this.locks = database.callersCollection(Names.LOCK);
  }

  public void lock(ClientSession session, Set<OrderKey> keys) {
    check.requireTransaction(session, "lockKeys");
    if (keys.isEmpty()) {
      return;
    }
    SortedSet<Integer> slots = new TreeSet<>();
    keys.forEach(key -> slots.add(slot(key)));
    try {
      if (isFresh(session)) {
        lockAsTheFirst(session, slots);
      } else {
        lockLater(session, slots);
      }
    } catch (MongoException failed) {
      throw MongoErrors.inTransaction("lock " + keys.size() + " key(s)", failed);
    }
  }

  /** The same on every node: the hash of a text is the same in every Java. */
  private static int slot(OrderKey key) {
    return Math.floorMod((key.destination() + '\n' + key.name()).hashCode(), SLOTS);
  }

  /**
   * Whether the transaction has sent nothing to the server yet. The driver tells that only by
   * taking note of a first message, so a fresh transaction is begun anew afterwards.
   */
  private static boolean isFresh(ClientSession session) {
    if (!session.notifyMessageSent()) {
      return false;
    }
    beginAnew(session);
    return true;
  }

  private static void beginAnew(ClientSession session) {
    TransactionOptions options = session.getTransactionOptions();
    if (session.hasActiveTransaction()) {
      session.abortTransaction();
    }
    session.startTransaction(options);
  }

  private void lockAsTheFirst(ClientSession session, SortedSet<Integer> slots) {
    Rerun rerun = new Rerun(PATIENCE);
    while (true) {
      try {
        write(session, slots);
        return;
      } catch (MongoException failed) {
        if (!isTaken(failed) || !rerun.mayGoOn()) {
          throw failed;
        }
        beginAnew(session);
      }
    }
  }

  private void lockLater(ClientSession session, SortedSet<Integer> slots) {
    try {
      write(session, slots);
    } catch (MongoException failed) {
      if (!isTaken(failed)) {
        throw failed;
      }
      if (session.hasActiveTransaction()) {
        session.abortTransaction();
      }
      awaitFree(slots);
      throw MongoErrors.again("another transaction had the lock of a key", failed);
    }
  }

  /** Until a transaction of our own gets the locks; what it wrote is undone. */
  private void awaitFree(SortedSet<Integer> slots) {
    try (ClientSession session = database.client().startSession()) {
      session.startTransaction();
      lockAsTheFirst(session, slots);
      session.abortTransaction();
    }
  }

  private void write(ClientSession session, SortedSet<Integer> slots) {
    BsonDocument change = new BsonDocument("$inc", new BsonDocument("taken", new BsonInt64(1)));
    for (int slot : slots) {
      locks.updateOne(
          session,
          new BsonDocument(MessageDocument.ID, new BsonInt32(slot)),
          change,
          new UpdateOptions().upsert(true));
    }
  }

  /** A slot that is new is inserted, and one that another has inserted since is a duplicate. */
  private static boolean isTaken(MongoException error) {
    return MongoErrors.isTransient(error) || MongoErrors.isDuplicateKey(error);
  }
}
