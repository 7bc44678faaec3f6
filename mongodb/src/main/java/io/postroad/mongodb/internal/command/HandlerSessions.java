package io.postroad.mongodb.internal.command;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.session.ServerSession;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the transactions of handlers whose node stands still, is cut off or has died. MongoDB ends a
 * transaction neither with its connection nor at a limit of its own; the limit of the server is 60
 * to 90 s.
 *
 * <p>Each node writes down the sessions that its handlers use, and how long a transaction of theirs
 * may last: a node that works ends a longer one by itself. A node that finds work past its lease
 * asks the server which of these sessions have a transaction that is open for longer, and has the
 * server kill them. The driver uses its sessions again and again, so the node writes once for each
 * session and not once for each transaction.
 *
 * <p>A node that goes on after that cannot commit: the server does not know its transaction any
 * more, which is an error that has the unit of work run again, and then its claim does not hold.
 *
 * <p>Safe to use from many threads. A crash leaves documents that the server removes after a day.
 */
public final class HandlerSessions {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerSessions.class);
  private static final String LONGEST_MS = "longest_ms";
  private static final String AT = "at";
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  /** Sooner than the server removes the document. */
  private static final long WRITTEN_FOR = TimeUnit.HOURS.toNanos(1);

  /** The server goes through all of its sessions to answer. */
  private static final long ASKED_EVERY = TimeUnit.SECONDS.toNanos(1);

  /** Transactions of this user at which no operation is running. */
  private static final List<BsonDocument> OPEN =
      List.of(
          BsonDocument.parse("{$currentOp: {allUsers: false, idleSessions: true}}"),
          BsonDocument.parse(
              "{$match: {type: 'idleSession', 'transaction.timeOpenMicros': {$exists: true}}}"),
          BsonDocument.parse("{$project: {lsid: 1, micros: '$transaction.timeOpenMicros'}}"));

  private final MongoDatabase admin;
  private final MongoCollection<BsonDocument> sessions;
  private final Map<ServerSession, Written> written =
      Collections.synchronizedMap(new WeakHashMap<>());
  private final AtomicLong askedAt = new AtomicLong(System.nanoTime() - ASKED_EVERY);
  private final AtomicBoolean toldWhyNot = new AtomicBoolean();

  public HandlerSessions(Database database) {
    this.admin =
        database
            .client()
            .getDatabase("admin")
            .withReadPreference(ReadPreference.primary())
            .withTimeout(database.options().operationTimeout().toMillis(), TimeUnit.MILLISECONDS);
    this.sessions = database.collection(Names.COMMAND_SESSION);
  }

  private record Written(long longestMs, long at) {}

  /** Writes down that a handler uses this session, unless that is known. */
  public void use(ClientSession session, Duration longest) {
    ServerSession server = session.getServerSession();
    long now = System.nanoTime();
    @Nullable Written before = written.get(server);
    if (before != null
        && before.longestMs() == longest.toMillis()
        && now - before.at() < WRITTEN_FOR) {
      return;
    }
    sessions.updateOne(
        new BsonDocument(MessageDocument.ID, server.getIdentifier().get("id")),
        new BsonDocument("$set", new BsonDocument(LONGEST_MS, new BsonInt64(longest.toMillis())))
            .append("$currentDate", new BsonDocument(AT, BsonBoolean.TRUE)),
        UPSERT);
    written.put(server, new Written(longest.toMillis(), now));
  }

  /**
   * Has the server end transactions that are open for longer than their node lets them. Asks once a
   * second at most; does nothing where this user may not ask.
   *
   * @return how many it has ended
   */
  public int endOverdue() {
    long now = System.nanoTime();
    long before = askedAt.get();
    if (now - before < ASKED_EVERY || !askedAt.compareAndSet(before, now)) {
      return 0;
    }
    try {
      List<BsonDocument> overdue = overdue();
      if (!overdue.isEmpty()) {
        admin.runCommand(new BsonDocument("killSessions", new BsonArray(overdue)));
        LOG.warn(
            "mongodb: ended {} transactions of handlers whose node stands still, is cut off or has"
                + " died; nothing of them is committed",
            overdue.size());
      }
      return overdue.size();
    } catch (MongoCommandException refused) {
      if (toldWhyNot.compareAndSet(false, true)) {
        LOG.warn(
            "mongodb: transactions of nodes that stand still or have died end after 60 to 90 s,"
                + " because the server refuses $currentOp or killSessions for sessions of the same"
                + " user (on a sharded cluster grant inprog); error={}",
            MongoErrors.text(refused));
      }
      return 0;
    }
  }

  private List<BsonDocument> overdue() {
    Map<BsonValue, Long> openFor = new HashMap<>();
    admin
        .aggregate(OPEN, BsonDocument.class)
        .forEach(
            open ->
                openFor.put(
                    open.getDocument("lsid").get("id"),
                    open.getNumber("micros").longValue() / 1_000));
    List<BsonDocument> overdue = new ArrayList<>();
    if (!openFor.isEmpty()) {
      sessions
          .find(new BsonDocument(MessageDocument.ID, Bson.in(openFor.keySet())))
          .forEach(
              session -> {
                BsonValue id = session.get(MessageDocument.ID);
                long longest = session.getNumber(LONGEST_MS).longValue();
                if (openFor.getOrDefault(id, 0L) > longest) {
                  overdue.add(new BsonDocument("id", id));
                }
              });
    }
    return overdue;
  }
}
