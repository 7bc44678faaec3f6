package io.postroad.example.wiki.store;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.types.ObjectId;

/**
 * The collection {@code outbox} of the specification, with its fields, statuses and three indexes.
 * Postroad adopts it ({@code Layouts.brokerless()}), and only Postroad claims and settles events.
 *
 * <p>Thread-safe, also when several nodes start at once.
 */
public final class OutboxCollection {
  public static final String NAME = "outbox";
  static final String STATUS = "status";
  private static final List<String> STATUSES =
      List.of("new", "processing", "done", "failed", "dead");
  private static final String NEXT_RETRY_AT = "next_retry_at";
  private static final String STREAM = "stream";
  private static final int COUNT_LIMIT = 10_000;

  private final MongoCollection<Document> outbox;

  /** The type of {@code _id}. */
  public enum IdForm {
    OBJECTID {
      @Override
      Object next() {
        return new ObjectId();
      }
    },
    STRING {
      @Override
      Object next() {
        return UUID.randomUUID().toString();
      }
    };

    abstract Object next();
  }

  public OutboxCollection(WikiDatabase database) {
    this.outbox = database.collection(NAME);
  }

  /**
   * Creates missing parts.
   *
   * @param form the type of {@code _id} in a new collection; an existing collection keeps its type,
   *     because new events get an {@code _id} of the existing type
   */
  public void create(IdForm form) {
    outbox.createIndex(Indexes.ascending(STATUS, NEXT_RETRY_AT, Fields.CREATED_AT));
    outbox.createIndex(Indexes.ascending("lease_until"));
    outbox.createIndex(Indexes.ascending(STREAM, STATUS, NEXT_RETRY_AT));
    if (outbox.find().first() == null) {
      outbox.insertOne(first(form.next()));
    }
  }

  /** Returns a handled document, which sets the type of {@code _id} for later ones. */
  private static Document first(Object id) {
    Instant now = Instant.now();
    return new Document(Fields.ID, id)
        .append(STREAM, "wiki")
        .append("event_type", "OutboxCreated")
        .append("aggregate_id", NAME)
        .append("payload", new Document())
        .append(Fields.CREATED_AT, now)
        .append(STATUS, "done")
        .append("lease_owner", null)
        .append("lease_until", null)
        .append("attempts", 0)
        .append("last_error", null)
        .append(NEXT_RETRY_AT, now);
  }

  /** Returns the number of documents per status, counted up to 10,000. */
  public Map<String, Long> counts() {
    CountOptions bounded = new CountOptions().limit(COUNT_LIMIT).maxTime(5, TimeUnit.SECONDS);
    Map<String, Long> counts = new LinkedHashMap<>();
    for (String status : STATUSES) {
      counts.put(status, outbox.countDocuments(Filters.eq(STATUS, status), bounded));
    }
    return counts;
  }
}
