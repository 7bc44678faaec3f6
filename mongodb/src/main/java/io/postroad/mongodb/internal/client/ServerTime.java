package io.postroad.mongodb.internal.client;

import com.mongodb.client.MongoDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock, in milliseconds as MongoDB has them.
 *
 * <p>{@link #now()} is exact and is what leases and due times are measured with. Only an insert
 * cannot compute: {@link #floor()} is for the documents that are inserted.
 */
public final class ServerTime {
  private static final long SAMPLE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONG_NANOS = Duration.ofMillis(100).toNanos();
  private static final List<Document> ASK =
      List.of(
          new Document("$documents", List.of(new Document())),
          new Document("$project", new Document("now", "$$NOW")));

  private final MongoDatabase database;
  private final LongSupplier aheadMillis;
  private volatile @Nullable Sample latest;

  /** Returns a time of the server that is not later than this moment. */
  private record Sample(long serverMillis, long nanos, long wallMillis) {
    long millisAt(long now) {
      return serverMillis + (now - nanos) / 1_000_000;
    }

    /** Not too old, and not from before this machine stood still. */
    boolean isGoodAt(long now) {
      long wall = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - wallMillis);
      return now - nanos <= SAMPLE_NANOS && Math.abs(wall - (now - nanos)) <= LONG_NANOS;
    }
  }

  ServerTime(MongoDatabase database, LongSupplier aheadMillis) {
    this.database = database;
    this.aheadMillis = aheadMillis;
  }

  /** Now, as an expression for updates and {@code $expr}. */
  public BsonValue now() {
    return plus(Duration.ZERO);
  }

  /** So long after now, or before it, as an expression. */
  public BsonValue plus(Duration later) {
    long millis = aheadMillis.getAsLong() + later.toMillis();
    BsonString now = new BsonString("$$NOW");
    return millis == 0
        ? now
        : new BsonDocument("$add", new BsonArray(List.of(now, new BsonInt64(millis))));
  }

  /** Now, asked from the server. */
  public Instant ask() {
    return Instant.ofEpochMilli(sample().serverMillis() + aheadMillis.getAsLong());
  }

  /** For how long; the two may come from one moment, asked for in the wrong order. */
  public static Duration waited(Instant since, Instant now) {
    return since.isBefore(now) ? Duration.between(since, now) : Duration.ZERO;
  }

  /**
   * A time that the server's clock has reached, for documents that are inserted: what it said
   * within the last second, and what has passed since here. It is behind by the way of one answer
   * at most, so what is appended as due can be claimed at once.
   */
  public BsonDateTime floor() {
    return new BsonDateTime(floorMillis());
  }

  /** The same for times that are only written down. */
  public Instant nearlyNow() {
    return Instant.ofEpochMilli(floorMillis());
  }

  private long floorMillis() {
    @Nullable Sample known = latest;
    long now = System.nanoTime();
    if (known == null || !known.isGoodAt(now)) {
      known = sample();
      now = System.nanoTime();
    }
    return known.millisAt(now) + aheadMillis.getAsLong();
  }

  private Sample sample() {
    long before = System.nanoTime();
    @Nullable BsonDocument answer = database.aggregate(ASK, BsonDocument.class).first();
    if (answer == null) {
      throw new IllegalStateException("MongoDB gave no answer to $documents");
    }
    Sample sample =
        new Sample(
            answer.getDateTime("now").getValue(), System.nanoTime(), System.currentTimeMillis());
    // One whose answer took long is behind by that much.
    latest = sample.nanos() - before < LONG_NANOS ? sample : null;
    return sample;
  }
}
