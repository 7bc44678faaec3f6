package io.postroad.benchmarks.outbox;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Reads the log from a position and stores the position, as the only reader. The document with the
 * position has a lease, which each write renews. A reader that has lost its lease cannot store a
 * position.
 */
final class MongoLogReader implements AutoCloseable {
  private static final int SIZE = 2_000;
  private static final int LEASE_MILLIS = 10_000;
  private static final String CURSOR = "cursor";

  /** The error for a snapshot time before the creation of the collection. */
  private static final int SNAPSHOT_UNAVAILABLE = 246;

  /**
   * Makes a read see one point in time. Otherwise it could pause and see later commits: it would
   * see an event without an earlier one, and pass the position of the earlier one.
   */
  private static final ClientSessionOptions SNAPSHOT =
      ClientSessionOptions.builder().causallyConsistent(false).snapshot(true).build();

  private final MongoClient client;
  private final MongoCollection<MongoRow> outbox;
  private final MongoCollection<Document> cursor;
  private final String reader = UUID.randomUUID().toString();

  MongoLogReader(MongoClient client, MongoDatabase database, MongoCollection<MongoRow> outbox) {
    this.client = client;
    this.outbox = outbox;
    this.cursor = database.getCollection(CURSOR);
  }

  static void createCursor(MongoDatabase database) {
    database
        .getCollection(CURSOR)
        .insertOne(
            new Document("_id", 1)
                .append("head", 0L)
                .append("missing", List.of())
                .append("lease_until", Instant.EPOCH));
  }

  /** Takes the lease. */
  MongoLogPosition load() {
    Bson free = Filters.expr(new Document("$lt", List.of("$lease_until", "$$NOW")));
    Document found =
        cursor
            .withWriteConcern(WriteConcern.MAJORITY)
            .findOneAndUpdate(
                Filters.and(Filters.eq("_id", 1), free),
                List.of(
                    new Document(
                        "$set", new Document("reader", reader).append("lease_until", leaseEnd()))));
    if (found == null) {
      throw new IllegalStateException("another reader has the lease of the log of limit");
    }
    TreeMap<Long, Long> missing = new TreeMap<>();
    found.getList("missing", Long.class).forEach(pos -> missing.put(pos, System.nanoTime()));
    return new MongoLogPosition(found.getLong("head"), missing);
  }

  MongoLogChunk read(MongoLogPosition after) {
    Bson ahead = Filters.gt("_id", after.head());
    Bson unread =
        after.missing().isEmpty()
            ? ahead
            : Filters.or(Filters.in("_id", after.missing().keySet()), ahead);
    List<MongoRow> rows = new ArrayList<>(SIZE);
    try (ClientSession session = client.startSession(SNAPSHOT)) {
      outbox
          .find(session, unread)
          .sort(Sorts.ascending("_id"))
          .limit(SIZE)
          // One more than possible, so that one answer has all rows and the cursor is closed.
          .batchSize(SIZE + 1)
          .into(rows);
    } catch (MongoException failed) {
      if (failed.getCode() != SNAPSHOT_UNAVAILABLE) {
        throw failed;
      }
    }
    LimitMessages messages = new LimitMessages();
    rows.forEach(row -> messages.add(row.pos(), row.message()));
    return new MongoLogChunk(messages, after.after(rows, System.nanoTime()), rows.size() == SIZE);
  }

  /**
   * Stores the position without waiting for a majority: if it is lost, messages are sent again,
   * which at-least-once allows.
   */
  void store(MongoLogPosition position) {
    Document values =
        new Document("head", position.head())
            .append("missing", new ArrayList<>(position.missing().keySet()))
            .append("lease_until", leaseEnd());
    long stored =
        cursor
            .withWriteConcern(WriteConcern.W1)
            .updateOne(mine(), List.of(new Document("$set", values)))
            .getMatchedCount();
    if (stored == 0) {
      throw new IllegalStateException("the reader of limit has lost its lease");
    }
  }

  private static Document leaseEnd() {
    return new Document("$add", List.of("$$NOW", LEASE_MILLIS));
  }

  private Bson mine() {
    return Filters.and(Filters.eq("_id", 1), Filters.eq("reader", reader));
  }

  /** Releases the lease. */
  @Override
  public void close() {
    cursor.updateOne(mine(), Updates.set("lease_until", Instant.EPOCH));
  }
}
