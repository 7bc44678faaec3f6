package io.postroad.example.wiki.store;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.MergeOptions;
import com.mongodb.client.model.Projections;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * {@code outbox_dead}: the payloads of what is dead, under the same {@code _id} as in {@code
 * outbox}, where the status stays {@code dead}. A copy, so that nothing depends on it: the server
 * makes it again whenever it is missing, and takes away what is no longer dead.
 *
 * <p>Safe to use from many threads and nodes at once. A crash leaves copies to be made by the next
 * {@link #runOnce}.
 */
public final class DeadLetterArchive {
  static final String COLLECTION = "outbox_dead";
  private static final String DEAD = "dead";
  private static final String NOW = "now";
  private static final int AT_ONCE = 1_000;

  private final MongoCollection<Document> outbox;
  private final MongoCollection<Document> archive;

  public DeadLetterArchive(WikiDatabase database) {
    this.outbox = database.collection(OutboxCollection.NAME);
    this.archive = database.collection(COLLECTION);
  }

  /** Copies what is dead, and removes what was sent again or thrown away since. */
  public void runOnce() {
    outbox
        .aggregate(
            List.of(
                Aggregates.match(Filters.eq(OutboxCollection.STATUS, DEAD)),
                Aggregates.project(
                    Projections.include(
                        "stream",
                        "event_type",
                        "aggregate_id",
                        "payload",
                        Fields.CREATED_AT,
                        "attempts",
                        "last_error")),
                Aggregates.merge(
                    COLLECTION, new MergeOptions().whenMatched(MergeOptions.WhenMatched.REPLACE))))
        .toCollection();
    List<Object> gone = new ArrayList<>();
    archive.aggregate(noLongerDead()).forEach(copy -> gone.add(copy.get(Fields.ID)));
    if (!gone.isEmpty()) {
      archive.deleteMany(Filters.in(Fields.ID, gone));
    }
  }

  private static List<Bson> noLongerDead() {
    return List.of(
        Aggregates.lookup(OutboxCollection.NAME, Fields.ID, Fields.ID, NOW),
        Aggregates.match(Filters.ne(NOW + "." + OutboxCollection.STATUS, DEAD)),
        Aggregates.limit(AT_ONCE),
        Aggregates.project(Projections.include(Fields.ID)));
  }
}
