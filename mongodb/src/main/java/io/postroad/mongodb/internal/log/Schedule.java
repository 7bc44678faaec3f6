package io.postroad.mongodb.internal.log;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.MongoErrors;
import io.postroad.mongodb.internal.client.MongoTransactions;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.PrimaryTerm;
import io.postroad.mongodb.internal.client.Snapshots;
import io.postroad.spi.LaneLease;
import io.postroad.spi.hint.Batches;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** ADMIT: scheduled messages take their place in the log when they are due. */
public final class Schedule {
  static final String LANE = "lane";
  public static final String NOT_BEFORE = "not_before";

  /** Which of those that are due at one time was appended first. */
  static final String TURN = "turn";

  public static final BsonDocument LONGEST_DUE_FIRST =
      new BsonDocument(NOT_BEFORE, new BsonInt32(1)).append(TURN, new BsonInt32(1));

  private static final String VERB = "admit scheduled messages";

  private final Database database;
  private final Snapshots snapshots;
  private final MongoTransactions transactions;
  private final Fence fence;
  private final LogInsert log;
  private final MongoCollection<BsonDocument> scheduled;

  public Schedule(
      Database database,
      Snapshots snapshots,
      MongoTransactions transactions,
      Fence fence,
      LogInsert log) {
    this.database = database;
    this.snapshots = snapshots;
    this.transactions = transactions;
    this.fence = fence;
    this.log = log;
    this.scheduled = database.callersCollection(Names.SCHEDULED);
  }

  /** Without anything due it writes nothing. */
  public int admitDue(LaneLease lease, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("admitDue limit must be 1 or more, got " + limit);
    }
    String what = "admit scheduled messages of lane " + lease.lane();
    boolean anyDue =
        snapshots.read(
            what,
            session -> {
              fence.look(session, lease, VERB);
              BsonDocument due = due(lease.lane(), database.time().now());
              return scheduled.find(session, due).sort(LONGEST_DUE_FIRST).first() != null;
            });
    if (!anyDue) {
      return 0;
    }
    int most = limit;
    while (true) {
      Batch batch = new Batch();
      try {
        int upTo = most;
        return transactions.transact(what, session -> admit(session, lease, upTo, batch));
      } catch (PostroadException refused) {
        if (batch.tried < 2 || !MongoErrors.isTooLarge(refused)) {
          throw refused;
        }
        most = batch.tried / 2;
      }
    }
  }

  /** How many messages the latest run of a transaction has tried to admit. */
  private static final class Batch {
    private int tried;
  }

  private int admit(ClientSession session, LaneLease lease, int limit, Batch batch) {
    BsonValue now = fence.pass(session, lease, VERB);
    List<RawBsonDocument> due = longestDue(session, due(lease.lane(), now), limit);
    batch.tried = due.size();
    if (due.isEmpty()) {
      return 0;
    }
    PrimaryTerm term = PrimaryTerm.current(database.client());
    long sequence = log.draw(SequenceNumbers.counter(lease.lane()), due.size(), term).first();
    List<BsonDocument> admitted = new ArrayList<>(due.size());
    List<BsonValue> ids = new ArrayList<>(due.size());
    for (BsonDocument message : due) {
      BsonDocument document = LogDocument.at(LogIds.id(lease.lane(), sequence++), message);
      document.remove(LANE);
      document.remove(TURN);
      admitted.add(document);
      ids.add(message.get(MessageDocument.ID));
    }
    log.insert(session, admitted, term);
    scheduled.deleteMany(
        session, new BsonDocument(MessageDocument.ID, new BsonDocument("$in", new BsonArray(ids))));
    return due.size();
  }

  /** Reads no more than one batch, however many there are. */
  private List<RawBsonDocument> longestDue(ClientSession session, BsonDocument which, int limit) {
    List<RawBsonDocument> due = new ArrayList<>();
    long bytes = 0;
    try (MongoCursor<RawBsonDocument> cursor =
        scheduled
            .withDocumentClass(RawBsonDocument.class)
            .find(session, which)
            .sort(LONGEST_DUE_FIRST)
            .limit(limit)
            .cursor()) {
      while (cursor.hasNext() && bytes < Batches.MAX_BYTES) {
        due.add(cursor.next());
        bytes += due.get(due.size() - 1).getByteBuffer().remaining();
      }
    }
    return due;
  }

  public static BsonDocument due(int lane, BsonValue now) {
    return new BsonDocument(LANE, new BsonInt32(lane))
        .append(
            "$expr",
            new BsonDocument(
                "$lte", new BsonArray(List.of(new BsonString("$" + NOT_BEFORE), now))));
  }
}
