package io.postroad.example.wiki.store;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.MergeOptions;
import com.mongodb.client.model.Projections;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Keeps copies of dead events in {@code outbox_dead}, with the same {@code _id} as in {@code
 * outbox}, where the status stays {@code dead}. Nothing depends on the copies: missing ones are
 * created again, and those of events that are no longer dead are removed. An existing copy is not
 * written again.
 *
 * <p>Thread-safe, also on several nodes. After a crash the next {@link #runOnce} creates missing
 * copies.
 */
public final class DeadLetterArchive {
  static final String COLLECTION = "outbox_dead";
  private static final String DEAD = "dead";
  private static final String NOW = "now";
  private static final String COPY = "copy";
  private static final String DIED_AT = "postroad_died_at";
  private static final Duration LATELY = Duration.ofMinutes(5);
  private static final int AT_ONCE = 1_000;

  private static final Bson OF_ANOTHER_DEATH =
      Filters.expr(
          new Document(
              "$ne",
              List.of(
                  new Document("$arrayElemAt", List.of("$" + COPY + "." + DIED_AT, 0)),
                  "$" + DIED_AT)));

  private final MongoCollection<Document> outbox;
  private final MongoCollection<Document> archive;

  public DeadLetterArchive(WikiDatabase database) {
    this.outbox = database.collection(OutboxCollection.NAME);
    this.archive = database.collection(COLLECTION);
  }

  /**
   * Copies events without a copy of their latest death, and removes copies of events that are not
   * dead.
   */
  public void runOnce() {
    copy(Filters.eq(OutboxCollection.STATUS, DEAD));
    clean();
  }

  /** Copies events that died recently. */
  public void copyNew() {
    copy(
        Filters.and(
            Filters.eq(OutboxCollection.STATUS, DEAD),
            Filters.gte(DIED_AT, Date.from(Instant.now().minus(LATELY)))));
  }

  private void copy(Bson dead) {
    outbox
        .aggregate(
            List.of(
                Aggregates.match(dead),
                Aggregates.lookup(COLLECTION, Fields.ID, Fields.ID, COPY),
                Aggregates.match(Filters.or(Filters.size(COPY, 0), OF_ANOTHER_DEATH)),
                Aggregates.project(
                    Projections.include(
                        "stream",
                        "event_type",
                        "aggregate_id",
                        "payload",
                        Fields.CREATED_AT,
                        "attempts",
                        "last_error",
                        DIED_AT)),
                Aggregates.merge(
                    COLLECTION, new MergeOptions().whenMatched(MergeOptions.WhenMatched.REPLACE))))
        .toCollection();
  }

  /** Removes the copies of events that were replayed or discarded, in bounded steps. */
  public void clean() {
    List<Object> gone;
    do {
      gone = new ArrayList<>();
      for (Document copy : archive.aggregate(noLongerDead())) {
        gone.add(copy.get(Fields.ID));
      }
      archive.deleteMany(Filters.in(Fields.ID, gone));
    } while (gone.size() == AT_ONCE);
  }

  private static List<Bson> noLongerDead() {
    return List.of(
        Aggregates.lookup(OutboxCollection.NAME, Fields.ID, Fields.ID, NOW),
        Aggregates.match(Filters.ne(NOW + "." + OutboxCollection.STATUS, DEAD)),
        Aggregates.limit(AT_ONCE),
        Aggregates.project(Projections.include(Fields.ID)));
  }
}
