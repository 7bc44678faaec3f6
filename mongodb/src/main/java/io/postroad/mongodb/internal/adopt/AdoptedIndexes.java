package io.postroad.mongodb.internal.adopt;

import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Statuses;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.DocumentIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** Indexes that are added to a collection. Each contains only documents that its query may find. */
public final class AdoptedIndexes {
  /** Pending messages by due time. */
  static final String DUE = "postroad_due_idx";

  /** Claimed messages by the end of the lease, or by when they may be taken over. */
  static final String LEASE = "postroad_lease_idx";

  /** Same as {@link #DUE} and {@link #LEASE}, for each destination. */
  static final String STREAM = "postroad_stream_idx";

  static final String STREAM_LEASE = "postroad_stream_lease_idx";

  /** Dead letters by time; those that Postroad has not seen yet first. */
  static final String DEAD = "postroad_dead_idx";

  /** Delivered messages by time of delivery. */
  static final String DELIVERED = "postroad_delivered_idx";

  /** Messages that are set aside, by destination and time. */
  static final String ASIDE = "postroad_aside_idx";

  /** Messages whose id is not the document's. */
  public static final String ID = "postroad_id_idx";

  private AdoptedIndexes() {}

  /** Returns the index with the same order for each destination. */
  static String ofStreams(String index) {
    return index.equals(DUE) ? STREAM : STREAM_LEASE;
  }

  /**
   * Returns the indexes of a layout.
   *
   * @param expires whether the collection deletes delivered messages itself
   * @param streams whether messages of one destination can be claimed
   */
  public static List<BsonDocument> of(Layout layout, boolean expires, boolean streams) {
    Statuses words = layout.statuses();
    String status = layout.columnOrAdded(Field.STATUS);
    String created = layout.columnOrAdded(Field.CREATED_AT);
    List<BsonDocument> indexes = new ArrayList<>();
    BsonDocument due =
        index(
            DUE,
            new BsonDocument(status, Bson.in(AdoptedFields.waiting(words))),
            status,
            layout.columnOrAdded(Field.DUE_AT),
            created,
            MessageDocument.ID);
    Optional<BsonDocument> lease =
        words
            .processing()
            .map(
                word ->
                    index(
                        LEASE,
                        new BsonDocument(status, new BsonString(word)),
                        status,
                        layout.columnOrAdded(Field.LEASE_UNTIL),
                        AdoptedFields.STRANGER_UNTIL));
    indexes.add(due);
    lease.ifPresent(indexes::add);
    if (streams) {
      String destination = layout.columnOrAdded(Field.DESTINATION);
      indexes.add(ofStreams(due, destination));
      lease.map(index -> ofStreams(index, destination)).ifPresent(indexes::add);
    }
    indexes.add(
        index(
            DEAD,
            new BsonDocument(status, new BsonString(words.dead())),
            status,
            AdoptedFields.DIED_AT,
            MessageDocument.ID));
    if (!expires) {
      indexes.add(
          index(
              DELIVERED,
              new BsonDocument(status, new BsonString(words.delivered())),
              status,
              layout.columnOrAdded(Field.SETTLED_AT),
              created));
    }
    String asideAt = layout.columnOrAdded(Field.ASIDE_AT);
    indexes.add(index(ASIDE, exists(asideAt), AdoptedFields.ASIDE_TO, asideAt));
    indexes.add(
        index(ID, exists(DocumentIds.OWN_ID), DocumentIds.OWN_ID)
            .append("unique", BsonBoolean.TRUE));
    return indexes;
  }

  private static BsonDocument index(String name, BsonDocument which, String... fields) {
    BsonDocument key = new BsonDocument();
    Stream.of(fields).forEach(field -> key.append(field, new BsonInt32(1)));
    return new BsonDocument("key", key)
        .append("name", new BsonString(name))
        .append("partialFilterExpression", which);
  }

  private static BsonDocument ofStreams(BsonDocument index, String destination) {
    BsonDocument key = new BsonDocument(destination, new BsonInt32(1));
    key.putAll(index.getDocument("key"));
    String name = ofStreams(index.getString("name").getValue());
    return index.clone().append("key", key).append("name", new BsonString(name));
  }

  private static BsonDocument exists(String field) {
    return new BsonDocument(field, new BsonDocument("$exists", BsonBoolean.TRUE));
  }
}
