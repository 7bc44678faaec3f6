package io.postroad.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import io.postroad.message.PostroadException;
import io.postroad.store.Backlog;
import io.postroad.store.Finding;
import io.postroad.store.MessageStatus;
import io.postroad.store.StoreFindings;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** Looks and changes nothing: one message, the backlog. */
final class QueueInspector {
  private static final String IN_FUTURE = "in_future";
  private static final String LAG = "lag";
  private static final String COUNT = "count";

  private final MongoCollection<BsonDocument> outbox;
  private final MongoCollection<BsonDocument> box;
  private final ServerTime time;

  QueueInspector(Database database) {
    this.outbox = database.latest(Names.OUTBOX);
    this.box = database.latest(Names.DEAD);
    this.time = database.time();
  }

  Optional<StoredMessage> find(UUID id) {
    return Database.call("find message " + id, () -> find(outbox, id).or(() -> find(box, id)));
  }

  private Optional<StoredMessage> find(MongoCollection<BsonDocument> collection, UUID id) {
    BsonDocument inFuture =
        new BsonDocument(IN_FUTURE, Bson.of("$gt", Bson.field(QueueDocument.DUE_AT), time.now()));
    return Optional.ofNullable(
            collection
                .aggregate(
                    List.of(
                        Aggregates.match(
                            new BsonDocument(MessageDocument.ID, MessageDocument.id(id))),
                        Bson.set(inFuture)))
                .first())
        .map(QueueInspector::stored);
  }

  Backlog backlog() {
    return Database.call(
        "read the backlog",
        () -> {
          long dead =
              count(outbox, QueueDocument.settled(QueueDocument.DEAD), QueueDocument.SETTLED_AT)
                  + count(box, new BsonDocument(), MessageDocument.ID);
          return new Backlog(
              count(outbox, pending(), QueueDocument.DUE_AT),
              Math.min(dead, Backlog.COUNT_LIMIT),
              lag());
        });
  }

  /** Of those that are due for longest. */
  List<Finding> expiredLeases() {
    return Database.call(
        "look for expired leases",
        () -> {
          List<Finding> findings = new ArrayList<>();
          outbox
              .aggregate(
                  List.of(
                      Aggregates.match(QueueDocument.due(time)),
                      Aggregates.sort(QueueDocument.BY_DUE_AT),
                      Aggregates.limit(Backlog.COUNT_LIMIT),
                      Aggregates.match(Filters.type(QueueDocument.LEASE_OWNER, BsonType.STRING)),
                      Aggregates.group(
                          Bson.field(QueueDocument.LEASE_OWNER), Accumulators.sum(COUNT, 1)),
                      Aggregates.sort(Sorts.ascending(MessageDocument.ID))))
              .forEach(
                  owner ->
                      findings.add(
                          StoreFindings.expiredLeases(
                              MessageDocument.text(owner, MessageDocument.ID),
                              owner.getNumber(COUNT).longValue())));
          return findings;
        });
  }

  private static BsonDocument pending() {
    return new BsonDocument(QueueDocument.DUE_AT, new BsonDocument("$exists", BsonBoolean.TRUE));
  }

  private static long count(
      MongoCollection<BsonDocument> collection, BsonDocument which, String indexed) {
    @Nullable BsonDocument counted =
        collection
            .aggregate(
                List.of(
                    Aggregates.match(which),
                    Aggregates.sort(Sorts.ascending(indexed)),
                    Aggregates.limit(Backlog.COUNT_LIMIT),
                    Aggregates.count(COUNT)))
            .first();
    return counted == null ? 0 : counted.getNumber(COUNT).longValue();
  }

  private Duration lag() {
    BsonDocument lag =
        new BsonDocument(LAG, Bson.of("$subtract", time.now(), Bson.field(QueueDocument.DUE_AT)));
    @Nullable BsonDocument first =
        outbox
            .find(QueueDocument.due(time))
            .sort(QueueDocument.BY_DUE_AT)
            .limit(1)
            .projection(lag)
            .first();
    return first == null ? Duration.ZERO : Duration.ofMillis(first.getNumber(LAG).longValue());
  }

  private static StoredMessage stored(BsonDocument document) {
    try {
      return new StoredMessage(
          MessageDocument.read(document),
          status(document),
          document.getNumber(QueueDocument.ATTEMPTS).intValue(),
          MessageDocument.instant(document, MessageDocument.CREATED_AT),
          MessageDocument.instant(
              document,
              document.containsKey(QueueDocument.DUE_AT)
                  ? QueueDocument.DUE_AT
                  : QueueDocument.NEXT_RETRY_AT),
          MessageDocument.optional(document, QueueDocument.LEASE_OWNER),
          MessageDocument.optional(document, QueueDocument.LAST_ERROR));
    } catch (IllegalArgumentException unreadable) {
      throw new PostroadException(
          "message %s cannot be read: %s; correct or delete its document"
              .formatted(MessageDocument.id(document), unreadable.getMessage()),
          unreadable);
    }
  }

  private static MessageStatus status(BsonDocument document) {
    String status = MessageDocument.text(document, QueueDocument.STATUS);
    return switch (status) {
      case QueueDocument.DONE -> MessageStatus.DISPATCHED;
      case QueueDocument.DEAD -> MessageStatus.FAILED;
      case QueueDocument.PROCESSING ->
          document.getBoolean(IN_FUTURE).getValue()
              ? MessageStatus.PROCESSING
              : MessageStatus.PENDING;
      default -> MessageStatus.PENDING;
    };
  }
}
