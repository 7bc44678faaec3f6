package io.postroad.mongodb.internal.client;

import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.MongoOptions;
import io.postroad.transaction.NoTransactionException;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses sessions with which a verb in them would not be what it promises. */
public final class TransactionCheck {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionCheck.class);
  private static final String MAJORITY = "majority";

  private final MongoOptions.TransactionMode mode;

  /** The write concern of a transaction without one of its own. */
  private final String serverDefault;

  private TransactionCheck(MongoOptions.TransactionMode mode, String serverDefault) {
    this.mode = mode;
    this.serverDefault = serverDefault;
  }

  public static TransactionCheck of(MongoClient client, MongoOptions options) {
    return new TransactionCheck(
        options.transactionMode(),
        options.transactionMode() == MongoOptions.TransactionMode.REQUIRED
            ? serverDefault(client)
            : MAJORITY);
  }

  /** Whether the session has a transaction; without one it must be the mode that allows that. */
  public boolean requireTransaction(ClientSession session, String verb) {
    if (session.hasActiveTransaction()) {
      requireMajority(session, verb);
      return true;
    }
    if (mode == MongoOptions.TransactionMode.NONE) {
      return false;
    }
    throw new NoTransactionException(
        verb
            + " needs a transaction, but this session has none; nothing was written. Call"
            + " startTransaction() first, or work inside Transactions.run(..), so that it commits"
            + " together with your data. Without a replica set, declare"
            + " TransactionMode.NONE");
  }

  private void requireMajority(ClientSession session, String verb) {
    @Nullable WriteConcern concern = session.getTransactionOptions().getWriteConcern();
    String w =
        concern == null || concern.isServerDefault() || concern.getWObject() == null
            ? serverDefault
            : concern.getWObject().toString();
    boolean inMemory = concern != null && Boolean.FALSE.equals(concern.getJournal());
    if (!w.equals(MAJORITY) || inMemory) {
      throw new PostroadException(
          "%s needs a transaction with write concern majority, this one has w=%s%s; nothing was written. What less than a majority has can be rolled back after an election. Start it with TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY)"
              .formatted(verb, w, inMemory ? " j=false" : ""));
    }
  }

  private static String serverDefault(MongoClient client) {
    try {
      Document answer =
          client.getDatabase("admin").runCommand(new Document("getDefaultRWConcern", 1));
      @Nullable Document concern = answer.get("defaultWriteConcern", Document.class);
      return concern == null || !concern.containsKey("w") ? MAJORITY : "" + concern.get("w");
    } catch (MongoException notAllowed) {
      LOG.debug("mongodb: the server's default write concern cannot be read", notAllowed);
      return MAJORITY;
    }
  }
}
