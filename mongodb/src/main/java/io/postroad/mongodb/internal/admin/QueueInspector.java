package io.postroad.mongodb.internal.admin;

import com.mongodb.client.AggregateIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import io.postroad.message.PostroadException;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.client.Names;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.mongodb.internal.queue.Intake;
import io.postroad.mongodb.internal.queue.QueueForm;
import io.postroad.spi.StoreFindings;
import io.postroad.store.Backlog;
import io.postroad.store.Finding;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** Looks and changes nothing: one message, the backlog. */
public final class QueueInspector {
  private static final String LAG = "lag";
  private static final String COUNT = "count";

  private final MongoCollection<BsonDocument> outbox;
  private final MongoCollection<BsonDocument> box;
  private final ServerTime time;
  private final QueueForm form;
  private final Intake intake;

  public QueueInspector(Database database, QueueForm form) {
    this.form = form;
    this.intake = new Intake(database, form);
    this.outbox = Database.latest(form.collection(database));
    this.box = database.latest(Names.DEAD);
    this.time = database.time();
  }

  public Optional<StoredMessage> find(UUID id) {
    return Database.call("find message " + id, () -> find(outbox, id).or(() -> find(box, id)));
  }

  /** Whether a message is stored that has this deduplication key. */
  public boolean isStored(UUID id, String deduplicationKey) {
    return find(id)
        .flatMap(stored -> stored.message().deduplicationKey())
        .filter(deduplicationKey::equals)
        .isPresent();
  }

  private Optional<StoredMessage> find(MongoCollection<BsonDocument> collection, UUID id) {
    return Optional.ofNullable(
            collection
                .aggregate(
                    List.of(Aggregates.match(form.among(List.of(id))), Bson.set(form.shown(time))))
                .first())
        .map(this::stored);
  }

  public Backlog backlog() {
    return Database.call(
        "read the backlog",
        () -> {
          intake.dead();
          long pending = form.undelivered().stream().mapToLong(look -> count(outbox, look)).sum();
          long dead = count(outbox, dead()) + count(box, inBox());
          return new Backlog(
              Math.min(pending, Backlog.COUNT_LIMIT), Math.min(dead, Backlog.COUNT_LIMIT), lag());
        });
  }

  private Look dead() {
    String diedAt = form.names().times().diedAt();
    return new Look(form.dead(), ascending(diedAt), diedAt, Optional.empty());
  }

  private static Look inBox() {
    return new Look(
        new BsonDocument(), ascending(MessageDocument.ID), MessageDocument.ID, Optional.empty());
  }

  private static BsonDocument ascending(String field) {
    return new BsonDocument(field, new BsonInt32(1));
  }

  /** Of those that are due for longest. */
  public List<Finding> expiredLeases() {
    return Database.call(
        "look for expired leases",
        () -> {
          Map<String, Long> owners = new TreeMap<>();
          form.looks(time).forEach(look -> expiredLeases(look, owners));
          return owners.entrySet().stream()
              .map(owner -> StoreFindings.expiredLeases(owner.getKey(), owner.getValue()))
              .toList();
        });
  }

  private void expiredLeases(Look look, Map<String, Long> owners) {
    String owner = form.names().lease().owner();
    aggregate(
            outbox,
            look,
            Aggregates.match(Filters.type(owner, BsonType.STRING)),
            Aggregates.group(Bson.field(owner), Accumulators.sum(COUNT, 1)))
        .forEach(
            counted ->
                owners.merge(
                    MessageDocument.text(counted, MessageDocument.ID),
                    counted.getNumber(COUNT).longValue(),
                    Long::sum));
  }

  private static long count(MongoCollection<BsonDocument> collection, Look look) {
    @Nullable BsonDocument counted = aggregate(collection, look, Aggregates.count(COUNT)).first();
    return counted == null ? 0 : counted.getNumber(COUNT).longValue();
  }

  /** Returns a value of the first of them. */
  private static AggregateIterable<BsonDocument> aggregate(
      MongoCollection<BsonDocument> collection, Look look, org.bson.conversions.Bson... then) {
    List<org.bson.conversions.Bson> stages = new ArrayList<>();
    stages.add(Aggregates.match(look.which()));
    stages.add(Aggregates.sort(look.order()));
    stages.add(Aggregates.limit(Backlog.COUNT_LIMIT));
    stages.addAll(List.of(then));
    AggregateIterable<BsonDocument> result = collection.aggregate(stages);
    return look.index().map(result::hintString).orElse(result);
  }

  private Duration lag() {
    BsonDocument lag = new BsonDocument(LAG, Bson.of("$subtract", time.now(), form.dueSince()));
    long longest = 0;
    for (Look look : form.looks(time)) {
      @Nullable BsonDocument first = look.first(outbox, 1).projection(lag).first();
      if (first != null && first.isNumber(LAG)) {
        longest = Math.max(longest, first.getNumber(LAG).longValue());
      }
    }
    return Duration.ofMillis(longest);
  }

  private StoredMessage stored(BsonDocument document) {
    try {
      return form.stored(document);
    } catch (IllegalArgumentException unreadable) {
      throw new PostroadException(
          "message %s cannot be read: %s; correct or delete its document"
              .formatted(form.id(document), unreadable.getMessage()),
          unreadable);
    }
  }
}
