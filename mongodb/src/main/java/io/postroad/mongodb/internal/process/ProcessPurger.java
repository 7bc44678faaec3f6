package io.postroad.mongodb.internal.process;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.spi.process.ProcessStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Purges processes that ended long ago, with their logs and replies, some in a transaction. */
public final class ProcessPurger {
  /** A process may have hundreds of log entries, and a transaction should be short. */
  private static final int AT_ONCE = 100;

  private static final BsonDocument LONGEST_AGO_FIRST =
      new BsonDocument(ProcessDocument.ENDED_AT, new BsonInt32(1));
  private static final BsonDocument ID_ONLY =
      new BsonDocument(MessageDocument.ID, new BsonInt32(1));

  private final MongoTransactions transactions;
  private final MongoCollection<BsonDocument> processes;
  private final MongoCollection<BsonDocument> log;
  private final MongoCollection<BsonDocument> replies;
  private final ProcessFilters filters;

  public ProcessPurger(Database database, MongoTransactions transactions) {
    this.transactions = transactions;
    this.processes = database.callersCollection(Names.PROCESS);
    this.log = database.callersCollection(Names.PROCESS_LOG);
    this.replies = database.callersCollection(Names.PROCESS_ARRIVAL);
    this.filters = new ProcessFilters(database.time());
  }

  public int purge(Duration olderThan, int limit) {
    ProcessStore.checkLimit(limit);
    int purged = 0;
    while (purged < limit) {
      int most = Math.min(AT_ONCE, limit - purged);
      int some =
          transactions.transact("purge processes", session -> some(session, olderThan, most));
      purged += some;
      if (some < most) {
        break;
      }
    }
    return purged;
  }

  private int some(ClientSession session, Duration olderThan, int limit) {
    List<BsonValue> old =
        processes
            .find(session, filters.endedBefore(olderThan))
            .sort(LONGEST_AGO_FIRST)
            .limit(limit)
            .projection(ID_ONLY)
            .map(document -> document.get(MessageDocument.ID))
            .into(new ArrayList<>());
    if (old.isEmpty()) {
      return 0;
    }
    BsonDocument theirs = new BsonDocument(ProcessDocument.PROCESS_ID, Bson.in(old));
    log.deleteMany(session, theirs);
    replies.deleteMany(session, theirs);
    return (int)
        processes
            .deleteMany(session, new BsonDocument(MessageDocument.ID, Bson.in(old)))
            .getDeletedCount();
  }
}
