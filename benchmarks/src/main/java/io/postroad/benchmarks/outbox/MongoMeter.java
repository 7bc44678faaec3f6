package io.postroad.benchmarks.outbox;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.util.List;
import java.util.Objects;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Reads the costs of a contender on MongoDB since the creation of this meter. Used by one thread.
 */
final class MongoMeter implements Meter {
  private static final String TIME = "ts";
  private static final String STORED = "$natural";
  private static final String BYTES = "bytes";

  private final MongoClient client;
  private final StatementCount commands;
  private final MongoCollection<Document> oplog;
  private BsonTimestamp summedUpTo;
  private long bytes;

  MongoMeter(MongoClient client, StatementCount commands) {
    this.client = client;
    this.commands = commands;
    this.oplog = client.getDatabase("local").getCollection("oplog.rs");
    this.summedUpTo = at(Sorts.descending(STORED));
  }

  @Override
  public String logName() {
    return "oplog";
  }

  /**
   * Returns the size of the oplog entries in BSON, which other members of a replica set would read.
   * The journal has the same entries, compressed.
   */
  @Override
  public long logBytes() {
    BsonTimestamp end = at(Sorts.descending(STORED));
    @Nullable Document sum =
        oplog
            .aggregate(
                List.of(
                    Aggregates.match(
                        Filters.and(Filters.gt(TIME, summedUpTo), Filters.lte(TIME, end))),
                    Aggregates.group(
                        null, Accumulators.sum(BYTES, new Document("$bsonSize", "$$ROOT")))))
            .first();
    if (at(Sorts.ascending(STORED)).compareTo(summedUpTo) > 0) {
      throw new IllegalStateException(
          "the oplog has forgotten what was written during a round, so its bytes are not known");
    }
    bytes += sum == null ? 0 : sum.get(BYTES, Number.class).longValue();
    summedUpTo = end;
    return bytes;
  }

  /** Returns the time of the first entry in this order. */
  private BsonTimestamp at(Bson order) {
    Document entry =
        Objects.requireNonNull(
            oplog.find().sort(order).projection(Projections.include(TIME)).first());
    return entry.get(TIME, BsonTimestamp.class);
  }

  @Override
  public long statements() {
    return commands.total();
  }

  @Override
  public long transactions() {
    Document status = client.getDatabase("admin").runCommand(new Document("serverStatus", 1));
    return status.get("transactions", Document.class).get("totalStarted", Number.class).longValue();
  }

  /** Returns the number of read documents and index keys, as the planner counts them. */
  @Override
  public long reads() {
    Document status = client.getDatabase("admin").runCommand(new Document("serverStatus", 1));
    Document executor = status.get("metrics", Document.class).get("queryExecutor", Document.class);
    return executor.get("scanned", Number.class).longValue()
        + executor.get("scannedObjects", Number.class).longValue();
  }

  @Override
  public Figure.Unit readUnit() {
    return Figure.Unit.DOCUMENTS_PER_EVENT;
  }
}
