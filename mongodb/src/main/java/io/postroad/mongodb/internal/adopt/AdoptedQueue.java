package io.postroad.mongodb.internal.adopt;

import com.mongodb.client.MongoCollection;
import io.postroad.layout.Counting;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Statuses;
import io.postroad.message.Message;
import io.postroad.mongodb.internal.admin.DeadLetterDocument;
import io.postroad.mongodb.internal.admin.DeadLetterQuery;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Database;
import io.postroad.mongodb.internal.client.DocumentIds;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.client.ServerTime;
import io.postroad.mongodb.internal.queue.DestinationIndex;
import io.postroad.mongodb.internal.queue.Intake;
import io.postroad.mongodb.internal.queue.QueueForm;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.MessageStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Queue in a collection of a team, as a layout describes it. The collection's own fields decide,
 * because other code writes them, too: the due time and, where a claim is a status, the end of the
 * lease. So no document needs preparation before it is claimed.
 */
public final class AdoptedQueue extends QueueForm {
  private static final String IN_FUTURE = "postroad_in_future";

  private final AdoptedFields fields;
  private final Layout layout;
  private final Statuses words;
  private final AdoptedMessage messages;
  private final AdoptedQueries queries;
  private final AdoptedUpdates updates;

  /**
   * Creates the queue.
   *
   * @param expires whether the collection deletes delivered messages itself
   */
  public AdoptedQueue(Layout layout, DocumentIds.Kind ids, boolean expires) {
    this(new AdoptedFields(layout), ids, expires);
  }

  private AdoptedQueue(AdoptedFields fields, DocumentIds.Kind ids, boolean expires) {
    super(
        fields.names,
        new DestinationIndex(AdoptedIndexes.ASIDE, AdoptedFields.ASIDE_TO, fields.asideAt));
    this.fields = fields;
    this.layout = fields.layout;
    this.words = fields.words;
    this.messages = new AdoptedMessage(layout, ids);
    this.queries = new AdoptedQueries(fields, expires);
    this.updates = new AdoptedUpdates(fields);
  }

  @Override
  public MongoCollection<BsonDocument> collection(Database database) {
    return database.own().getCollection(layout.table(), BsonDocument.class);
  }

  @Override
  public MongoCollection<BsonDocument> callersCollection(Database database) {
    return database.callers().getCollection(layout.table(), BsonDocument.class);
  }

  // Messages

  @Override
  public BsonDocument fresh(Message message, BsonDateTime now) {
    BsonDateTime due =
        message
            .notBefore()
            .map(MessageDocument::time)
            .filter(time -> time.compareTo(now) > 0)
            .orElse(now);
    BsonDocument document =
        messages
            .write(message, now)
            .append(fields.status, new BsonString(words.pending()))
            .append(fields.attempts, AdoptedFields.ZERO)
            .append(fields.token, new BsonInt64(0))
            .append(fields.dueAt, due);
    Stream.of(Field.LEASE_OWNER, Field.LEASE_UNTIL, Field.LAST_ERROR, Field.SETTLED_AT)
        .map(layout::column)
        .flatMap(Optional::stream)
        .forEach(own -> document.append(own, BsonNull.VALUE));
    if (layout.revivesFailed()) {
      document.append(AdoptedFields.MAX_RETRIES, new BsonInt32(layout.executions()));
    }
    return document;
  }

  @Override
  public Message read(BsonDocument document) {
    return messages.read(document);
  }

  @Override
  public UUID id(BsonDocument document) {
    return DocumentIds.of(document);
  }

  @Override
  public BsonDocument idOnly() {
    return new BsonDocument(MessageDocument.ID, AdoptedFields.ONE)
        .append(DocumentIds.OWN_ID, AdoptedFields.ONE);
  }

  @Override
  public BsonDocument among(Collection<UUID> ids) {
    return DocumentIds.among(ids);
  }

  @Override
  public Optional<BsonDocument> ownId(BsonDocument document) {
    return DocumentIds.needsOwnId(document)
        ? Optional.of(
            new BsonDocument(DocumentIds.OWN_ID, MessageDocument.id(DocumentIds.of(document))))
        : Optional.empty();
  }

  @Override
  public BsonDocument shown(ServerTime time) {
    return new BsonDocument(IN_FUTURE, Bson.of("$gt", Bson.field(fields.until), time.now()));
  }

  @Override
  public MessageStatus status(BsonDocument document) {
    String word = MessageDocument.optional(document, fields.status).orElse("");
    if (word.equals(words.delivered())) {
      return MessageStatus.DISPATCHED;
    }
    if (word.equals(words.dead())) {
      return isRevivable(document) ? MessageStatus.PENDING : MessageStatus.FAILED;
    }
    boolean held = document.isDateTime(fields.until) && document.getBoolean(IN_FUTURE).getValue();
    boolean strangers = isProcessing(document) && !document.isDateTime(fields.until);
    return isLeased(document) && (held || strangers)
        ? MessageStatus.PROCESSING
        : MessageStatus.PENDING;
  }

  private boolean isProcessing(BsonDocument document) {
    return words
        .processing()
        .filter(word -> MessageDocument.optional(document, fields.status).equals(Optional.of(word)))
        .isPresent();
  }

  private boolean isLeased(BsonDocument document) {
    return words.processing().isPresent()
        ? isProcessing(document)
        : document.isString(fields.owner);
  }

  /** Matches a dead document with attempts left. */
  private boolean isRevivable(BsonDocument document) {
    int limit =
        document.isNumber(AdoptedFields.MAX_RETRIES)
            ? document.getNumber(AdoptedFields.MAX_RETRIES).intValue()
            : layout.executions();
    return layout.revivesFailed()
        && !document.isDateTime(AdoptedFields.DIED_AT)
        && !document.isDateTime(fields.settledAt)
        && counted(document) < limit;
  }

  private int counted(BsonDocument document) {
    return document.isNumber(fields.attempts) ? document.getNumber(fields.attempts).intValue() : 0;
  }

  @Override
  public int tried(BsonDocument document) {
    boolean delivered =
        MessageDocument.optional(document, fields.status).equals(Optional.of(words.delivered()));
    boolean uncounted =
        layout.counting() == Counting.AT_FAILURE && (delivered || isLeased(document));
    return counted(document) + (uncounted ? 1 : 0);
  }

  @Override
  public Instant createdAt(BsonDocument document) {
    return DeadLetterDocument.time(document, fields.createdAt);
  }

  @Override
  public Instant dueAt(BsonDocument document) {
    return Stream.of(isLeased(document) ? fields.until : fields.dueAt, fields.dueAt)
        .filter(document::isDateTime)
        .findFirst()
        .map(field -> MessageDocument.instant(document, field))
        .orElseGet(() -> createdAt(document));
  }

  // Claims

  @Override
  public BsonDocument due(ServerTime time) {
    return queries.due(time);
  }

  @Override
  public List<Look> looks(ServerTime time) {
    return queries.looks(time);
  }

  @Override
  public List<Look> looks(String destination, ServerTime time) {
    return queries.looks(destination, time);
  }

  @Override
  public List<Intake.Step> claimIntake(ServerTime time) {
    return queries.claimIntake(time);
  }

  @Override
  public List<Intake.Step> deadIntake(ServerTime time) {
    return queries.deadIntake(time);
  }

  @Override
  public BsonDocument taken(ClaimRequest request, BsonObjectId mark, ServerTime time) {
    return updates.taken(request, mark, time);
  }

  @Override
  public BsonDocument held(Collection<UUID> ids, long claimToken) {
    return queries.held(ids, claimToken);
  }

  @Override
  public List<BsonDocument> extended(Duration leaseFor, ServerTime time) {
    return updates.extended(leaseFor, time);
  }

  @Override
  public List<BsonDocument> settled(Settlement settlement, BsonObjectId mark, ServerTime time) {
    return updates.settled(settlement, mark, time);
  }

  @Override
  public List<BsonDocument> buried(String error, ServerTime time) {
    return updates.buried(error, time);
  }

  // Waiting messages

  @Override
  public List<BsonDocument> opened(ServerTime time) {
    return updates.opened(time);
  }

  @Override
  public List<Look> undelivered() {
    return queries.undelivered();
  }

  @Override
  public BsonValue dueSince() {
    return queries.dueSince();
  }

  @Override
  public List<Look> delivered(Duration olderThan, ServerTime time) {
    return queries.delivered(olderThan, time);
  }

  @Override
  public BsonDocument isDelivered() {
    return queries.isDelivered();
  }

  // Dead letters

  @Override
  public BsonDocument isDead() {
    return queries.isDead();
  }

  @Override
  public BsonDocument dead() {
    return isDead();
  }

  @Override
  public Optional<BsonValue> rawId(UUID id) {
    return Optional.empty();
  }

  @Override
  public BsonDocument narrowed(
      BsonDocument all,
      DeadLetterFilter filter,
      Optional<DeadLetter.Mark> after,
      BsonValue lastId) {
    BsonArray conditions = new BsonArray();
    filter.destination().ifPresent(text -> conditions.add(equal(Field.DESTINATION, text)));
    filter.type().ifPresent(text -> conditions.add(equal(Field.TYPE, text)));
    filter.key().ifPresent(text -> conditions.add(equal(Field.KEY, text)));
    filter
        .errorContains()
        .ifPresent(
            part ->
                conditions.add(
                    new BsonDocument(
                        "$expr", DeadLetterQuery.errorContains(names().lastError(), part))));
    filter.diedFrom().ifPresent(time -> conditions.add(died("$gte", MessageDocument.time(time))));
    filter.diedBefore().ifPresent(time -> conditions.add(died("$lt", MessageDocument.time(time))));
    after.ifPresent(
        mark -> {
          BsonDateTime time = new BsonDateTime(mark.diedAt().toEpochMilli());
          BsonDocument literal = new BsonDocument("$literal", lastId);
          BsonDocument higherId =
              new BsonDocument("$expr", Bson.of("$gt", Bson.field(MessageDocument.ID), literal));
          conditions.add(died("$gte", time));
          conditions.add(Bson.of("$or", died("$gt", time), higherId));
        });
    BsonDocument query = all.clone();
    return conditions.isEmpty() ? query : query.append("$and", conditions);
  }

  private static BsonDocument died(String operator, BsonDateTime time) {
    return new BsonDocument(AdoptedFields.DIED_AT, new BsonDocument(operator, time));
  }

  private BsonDocument equal(Field field, String text) {
    return new BsonDocument(
        "$expr", Bson.of("$eq", messages.expression(field), Bson.literal(text)));
  }

  @Override
  public BsonDocument again(BsonDateTime now) {
    return updates.again(now);
  }

  @Override
  public Set<String> forgotten() {
    return Set.of(AdoptedFields.DIED_AT, AdoptedFields.CLAIMED_BY);
  }

  @Override
  public Message standIn(BsonDocument document) {
    return messages.standIn(document);
  }
}
