package io.postroad.mongodb;

import com.mongodb.client.MongoCollection;
import io.postroad.layout.Counting;
import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Statuses;
import io.postroad.message.Message;
import io.postroad.store.ClaimRequest;
import io.postroad.store.DeadLetter;
import io.postroad.store.DeadLetterFilter;
import io.postroad.store.MessageStatus;
import io.postroad.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * A queue in a collection that a team has, as a layout describes it. The collection's own fields
 * are the truth, because others write them too: its due time and, where a claim is a status, the
 * end of the lease. So no document needs to be prepared to be claimed.
 */
final class AdoptedQueue extends QueueForm {
  /** From when a claim of somebody who keeps no lease may be taken over. */
  static final String STRANGER_UNTIL = "postroad_stranger_until";

  /** When it died; what is dead and has none was not seen by us yet. */
  static final String DIED_AT = "postroad_died_at";

  /** What it waits for, while it is set aside. */
  static final String ASIDE_TO = "postroad_aside_to";

  /** Our copy of the owner, so that a lease that others have taken in the same field is theirs. */
  private static final String CLAIMED_BY = "postroad_claimed_by";

  /** How often a document of a layout that revives may be tried. */
  private static final String MAX_RETRIES = "maxRetries";

  private static final String IN_FUTURE = "postroad_in_future";
  private static final BsonInt32 ONE = new BsonInt32(1);
  private static final BsonInt32 ZERO = new BsonInt32(0);
  private static final BsonString REMOVE = new BsonString("$$REMOVE");

  private final Layout layout;
  private final Statuses words;
  private final AdoptedMessage messages;
  private final boolean expires;
  private final String status;
  private final String attempts;
  private final String token;
  private final String owner;
  private final String until;
  private final String dueAt;
  private final String createdAt;
  private final String settledAt;
  private final String asideAt;

  /**
   * @param expires whether the collection deletes what was delivered by itself
   */
  AdoptedQueue(Layout layout, DocumentIds.Kind ids, boolean expires) {
    super(
        new QueueNames(
            layout.columnOrAdded(Field.STATUS),
            layout.columnOrAdded(Field.ATTEMPTS),
            layout.columnOrAdded(Field.LEASE_TOKEN),
            layout.columnOrAdded(Field.LEASE_OWNER),
            layout.columnOrAdded(Field.LEASE_UNTIL),
            layout.columnOrAdded(Field.LAST_ERROR),
            layout.columnOrAdded(Field.CREATED_AT),
            DIED_AT,
            layout.columnOrAdded(Field.ASIDE_AT),
            "postroad_expired_owner",
            "postroad_claim",
            "postroad_settle",
            "postroad_replaces"),
        new AsideIndex(AdoptedIndexes.ASIDE, ASIDE_TO, layout.columnOrAdded(Field.ASIDE_AT)));
    this.layout = layout;
    this.words = layout.statuses();
    this.messages = new AdoptedMessage(layout, ids);
    this.expires = expires;
    this.status = names().status();
    this.attempts = names().attempts();
    this.token = names().token();
    this.owner = names().leaseOwner();
    this.until = names().leaseUntil();
    this.dueAt = layout.columnOrAdded(Field.DUE_AT);
    this.createdAt = names().createdAt();
    this.settledAt = layout.columnOrAdded(Field.SETTLED_AT);
    this.asideAt = names().asideAt();
  }

  /** What a message has that waits to be claimed. */
  static List<BsonString> waiting(Statuses words) {
    return Stream.concat(Stream.of(words.pending()), words.waiting().stream())
        .map(BsonString::new)
        .toList();
  }

  @Override
  MongoCollection<BsonDocument> collection(Database database) {
    return database.own().getCollection(layout.table(), BsonDocument.class);
  }

  @Override
  MongoCollection<BsonDocument> callersCollection(Database database) {
    return database.callers().getCollection(layout.table(), BsonDocument.class);
  }

  // Messages

  @Override
  BsonDocument fresh(Message message, BsonDateTime now) {
    BsonDateTime due =
        message
            .notBefore()
            .map(MessageDocument::time)
            .filter(time -> time.compareTo(now) > 0)
            .orElse(now);
    BsonDocument document =
        messages
            .write(message, now)
            .append(status, new BsonString(words.pending()))
            .append(attempts, ZERO)
            .append(token, new BsonInt64(0))
            .append(dueAt, due);
    Stream.of(Field.LEASE_OWNER, Field.LEASE_UNTIL, Field.LAST_ERROR, Field.SETTLED_AT)
        .map(layout::column)
        .flatMap(Optional::stream)
        .forEach(own -> document.append(own, BsonNull.VALUE));
    if (layout.revivesFailed()) {
      document.append(MAX_RETRIES, new BsonInt32(layout.executions()));
    }
    return document;
  }

  @Override
  Message read(BsonDocument document) {
    return messages.read(document);
  }

  @Override
  UUID id(BsonDocument document) {
    return DocumentIds.of(document);
  }

  @Override
  BsonDocument idOnly() {
    return new BsonDocument(MessageDocument.ID, ONE).append(DocumentIds.OWN_ID, ONE);
  }

  @Override
  BsonDocument among(Collection<UUID> ids) {
    return DocumentIds.among(ids);
  }

  @Override
  Optional<BsonDocument> ownId(BsonDocument document) {
    return DocumentIds.needsOwnId(document)
        ? Optional.of(
            new BsonDocument(DocumentIds.OWN_ID, MessageDocument.id(DocumentIds.of(document))))
        : Optional.empty();
  }

  @Override
  BsonDocument shown(ServerTime time) {
    return new BsonDocument(IN_FUTURE, Bson.of("$gt", Bson.field(until), time.now()));
  }

  @Override
  MessageStatus status(BsonDocument document) {
    String word = MessageDocument.optional(document, status).orElse("");
    if (word.equals(words.delivered())) {
      return MessageStatus.DISPATCHED;
    }
    if (word.equals(words.dead())) {
      return isRevivable(document) ? MessageStatus.PENDING : MessageStatus.FAILED;
    }
    boolean held = document.isDateTime(until) && document.getBoolean(IN_FUTURE).getValue();
    boolean strangers = isProcessing(document) && !document.isDateTime(until);
    return isLeased(document) && (held || strangers)
        ? MessageStatus.PROCESSING
        : MessageStatus.PENDING;
  }

  private boolean isProcessing(BsonDocument document) {
    return words
        .processing()
        .filter(word -> MessageDocument.optional(document, status).equals(Optional.of(word)))
        .isPresent();
  }

  private boolean isLeased(BsonDocument document) {
    return words.processing().isPresent() ? isProcessing(document) : document.isString(owner);
  }

  /** A dead one that was tried less often than it may be. */
  private boolean isRevivable(BsonDocument document) {
    int limit =
        document.isNumber(MAX_RETRIES)
            ? document.getNumber(MAX_RETRIES).intValue()
            : layout.executions();
    return layout.revivesFailed()
        && !document.isDateTime(DIED_AT)
        && !document.isDateTime(settledAt)
        && counted(document) < limit;
  }

  private int counted(BsonDocument document) {
    return document.isNumber(attempts) ? document.getNumber(attempts).intValue() : 0;
  }

  @Override
  int tried(BsonDocument document) {
    boolean delivered =
        MessageDocument.optional(document, status).equals(Optional.of(words.delivered()));
    boolean uncounted =
        layout.counting() == Counting.AT_FAILURE && (delivered || isLeased(document));
    return counted(document) + (uncounted ? 1 : 0);
  }

  @Override
  Instant createdAt(BsonDocument document) {
    return DeadLetterDocument.time(document, createdAt);
  }

  @Override
  Instant dueAt(BsonDocument document) {
    return Stream.of(isLeased(document) ? until : dueAt, dueAt)
        .filter(document::isDateTime)
        .findFirst()
        .map(field -> MessageDocument.instant(document, field))
        .orElseGet(() -> createdAt(document));
  }

  // Claims

  @Override
  BsonDocument due(ServerTime time) {
    return new BsonDocument("$or", new BsonArray(looks(time).stream().map(Look::which).toList()));
  }

  @Override
  List<Look> looks(ServerTime time) {
    List<Look> looks = new ArrayList<>();
    looks.add(
        look(
            new BsonDocument(status, Bson.in(waiting(words))).append("$expr", isDue(time)),
            AdoptedIndexes.DUE,
            dueAt,
            createdAt));
    words
        .processing()
        .ifPresent(
            word -> {
              looks.add(
                  look(
                      new BsonDocument(status, new BsonString(word))
                          .append(until, isDate())
                          .append("$expr", reached(until, time.now())),
                      AdoptedIndexes.LEASE,
                      until));
              looks.add(
                  look(
                      new BsonDocument(status, new BsonString(word))
                          .append(until, BsonNull.VALUE)
                          .append(STRANGER_UNTIL, isDate())
                          .append("$expr", reached(STRANGER_UNTIL, time.now())),
                      AdoptedIndexes.LEASE,
                      STRANGER_UNTIL));
            });
    return looks;
  }

  /** A field that is missing or null is reached too: it comes before all times. */
  private BsonDocument isDue(ServerTime time) {
    List<BsonValue> conditions = new ArrayList<>(List.of(reached(dueAt, time.now())));
    if (!layout.minAge().isZero()) {
      conditions.add(reached(createdAt, time.plus(layout.minAge().negated())));
    }
    if (words.processing().isEmpty()) {
      conditions.add(reached(until, time.now()));
    }
    return new BsonDocument("$and", new BsonArray(conditions));
  }

  private static BsonDocument reached(String field, BsonValue when) {
    return Bson.of("$lte", Bson.field(field), when);
  }

  private static BsonDocument isDate() {
    return new BsonDocument("$type", new BsonString("date"));
  }

  private static Look look(BsonDocument which, String index, String... by) {
    BsonDocument order = new BsonDocument();
    Stream.of(by).forEach(field -> order.append(field, ONE));
    return new Look(which, order, by[0], Optional.of(index));
  }

  @Override
  List<Intake.Step> claimIntake(ServerTime time) {
    List<Intake.Step> steps = new ArrayList<>();
    words
        .processing()
        .ifPresent(
            word ->
                steps.add(
                    new Intake.Step(
                        look(
                            new BsonDocument(status, new BsonString(word))
                                .append(until, BsonNull.VALUE)
                                .append(STRANGER_UNTIL, BsonNull.VALUE),
                            AdoptedIndexes.LEASE,
                            STRANGER_UNTIL),
                        List.of(
                            Bson.set(
                                new BsonDocument(
                                    STRANGER_UNTIL, time.plus(layout.strangersAfter())))))));
    if (layout.revivesFailed()) {
      steps.addAll(deadIntake(time));
    }
    return steps;
  }

  @Override
  List<Intake.Step> deadIntake(ServerTime time) {
    BsonValue diedAt = date(settledAt, date(createdAt, time.now()));
    BsonDocument set = new BsonDocument(DIED_AT, diedAt);
    if (layout.revivesFailed()) {
      BsonDocument limit = number(MAX_RETRIES, new BsonInt32(layout.executions()));
      BsonDocument revivable =
          Bson.of(
              "$and",
              Bson.of("$lt", number(attempts, ZERO), limit),
              Bson.of("$ne", type(settledAt), new BsonString("date")));
      set.append(DIED_AT, Bson.of("$cond", revivable, REMOVE, diedAt))
          .append(
              status,
              Bson.of(
                  "$cond", revivable, Bson.literal(words.pending()), Bson.literal(words.dead())));
    }
    BsonDocument unseen = isWord(words.dead()).append(DIED_AT, BsonNull.VALUE);
    return List.of(
        new Intake.Step(look(unseen, AdoptedIndexes.DEAD, DIED_AT), List.of(Bson.set(set))));
  }

  private static BsonDocument type(String field) {
    return new BsonDocument("$type", Bson.field(field));
  }

  private static BsonDocument date(String field, BsonValue otherwise) {
    return Bson.of(
        "$cond", Bson.of("$eq", type(field), new BsonString("date")), Bson.field(field), otherwise);
  }

  private static BsonDocument number(String field, BsonValue otherwise) {
    return Bson.of(
        "$cond", new BsonDocument("$isNumber", Bson.field(field)), Bson.field(field), otherwise);
  }

  @Override
  BsonDocument taken(ClaimRequest request, BsonObjectId mark, ServerTime time) {
    BsonDocument hasOwner = Bson.of("$eq", type(owner), new BsonString("string"));
    BsonDocument expired =
        words
            .processing()
            .map(word -> Bson.of("$eq", Bson.field(status), Bson.literal(word)))
            .orElse(hasOwner);
    BsonValue more =
        layout.counting() == Counting.AT_CLAIM ? ONE : Bson.of("$cond", expired, ONE, ZERO);
    BsonDocument set =
        new BsonDocument(
                names().expiredOwner(),
                Bson.of("$cond", Bson.of("$and", expired, hasOwner), Bson.field(owner), REMOVE))
            .append(owner, Bson.literal(request.owner()))
            .append(CLAIMED_BY, Bson.literal(request.owner()))
            .append(until, time.plus(request.leaseFor()))
            .append(attempts, Bson.of("$add", number(attempts, ZERO), more))
            .append(token, Bson.of("$add", number(token, new BsonInt64(0)), ONE))
            .append(asideAt, REMOVE)
            .append(ASIDE_TO, REMOVE)
            .append(STRANGER_UNTIL, REMOVE)
            .append(DIED_AT, REMOVE)
            .append(names().claim(), mark);
    words
        .processing()
        .ifPresentOrElse(
            word -> set.append(status, Bson.literal(word)),
            () -> set.append(dueAt, time.plus(request.leaseFor())));
    return set;
  }

  @Override
  BsonDocument held(Collection<UUID> ids, long claimToken) {
    List<BsonValue> conditions =
        new ArrayList<>(List.of(Bson.of("$eq", Bson.field(owner), Bson.field(CLAIMED_BY))));
    // Compared so that no planner takes an index on the status instead of the ids.
    words
        .processing()
        .ifPresent(
            word ->
                conditions.add(
                    Bson.of("$eq", Bson.of("$cmp", Bson.field(status), Bson.literal(word)), ZERO)));
    return among(ids)
        .append(token, new BsonInt64(claimToken))
        .append(owner, new BsonDocument("$type", new BsonString("string")))
        .append("$expr", new BsonDocument("$and", new BsonArray(conditions)));
  }

  @Override
  List<BsonDocument> extended(Duration leaseFor, ServerTime time) {
    BsonDocument set = new BsonDocument(until, time.plus(leaseFor));
    if (words.processing().isEmpty()) {
      set.append(dueAt, time.plus(leaseFor));
    }
    return List.of(Bson.set(set));
  }

  @Override
  List<BsonDocument> settled(Settlement settlement, BsonObjectId mark, ServerTime time) {
    BsonDocument set =
        switch (settlement.status()) {
          case DISPATCHED ->
              free().append(status, Bson.literal(words.delivered())).append(settledAt, time.now());
          case FAILED -> dead(settlement.lastError().orElse(""), time);
          default -> waiting(settlement, time);
        };
    set.append(names().settle(), mark);
    return List.of(Bson.set(set), Bson.unset(names().expiredOwner(), names().claim()));
  }

  @Override
  List<BsonDocument> buried(String error, ServerTime time) {
    return List.of(
        Bson.set(dead(error, time)), Bson.unset(names().expiredOwner(), names().claim()));
  }

  /** Without a due time, so that no sweep of the collection's owners brings it back. */
  private BsonDocument dead(String error, ServerTime time) {
    BsonDocument set =
        free()
            .append(status, Bson.literal(words.dead()))
            .append(DIED_AT, time.now())
            .append(dueAt, emptied(Field.DUE_AT))
            .append(names().lastError(), Bson.literal(error));
    layout.column(Field.SETTLED_AT).ifPresent(own -> set.append(own, time.now()));
    if (layout.counting() == Counting.AT_FAILURE) {
      set.append(attempts, Bson.of("$add", number(attempts, ZERO), ONE));
    }
    return set;
  }

  private BsonDocument waiting(Settlement settlement, ServerTime time) {
    boolean atClaim = layout.counting() == Counting.AT_CLAIM;
    int more = settlement.countsAsAttempt() ? (atClaim ? 0 : 1) : (atClaim ? -1 : 0);
    BsonDocument count = Bson.of("$add", number(attempts, ZERO), new BsonInt32(more));
    BsonValue word =
        words
            .waiting()
            .<BsonValue>map(
                retry ->
                    Bson.of(
                        "$cond",
                        Bson.of("$lte", count, ZERO),
                        Bson.literal(words.pending()),
                        Bson.literal(retry)))
            .orElse(Bson.literal(words.pending()));
    boolean aside = settlement instanceof Settlement.Aside;
    BsonDocument set =
        free()
            .append(status, word)
            .append(attempts, count)
            .append(dueAt, aside ? AsideIndex.DUE_AT : time.plus(settlement.delay()));
    if (aside) {
      set.append(asideAt, time.now())
          .append(ASIDE_TO, Bson.literal(settlement.claim().message().destination()));
    }
    settlement.lastError().ifPresent(error -> set.append(names().lastError(), Bson.literal(error)));
    return set;
  }

  private BsonDocument free() {
    return new BsonDocument(owner, emptied(Field.LEASE_OWNER))
        .append(until, emptied(Field.LEASE_UNTIL))
        .append(CLAIMED_BY, REMOVE);
  }

  /** The collection's own fields stay, as its owners have them. */
  private BsonValue emptied(Field field) {
    return layout.column(field).isPresent() ? BsonNull.VALUE : REMOVE;
  }

  // What waits

  @Override
  List<BsonDocument> opened(ServerTime time) {
    return List.of(Bson.set(new BsonDocument(dueAt, time.now())), Bson.unset(asideAt, ASIDE_TO));
  }

  @Override
  List<Look> undelivered() {
    List<Look> looks = new ArrayList<>();
    looks.add(
        look(
            new BsonDocument(status, Bson.in(waiting(words))),
            AdoptedIndexes.DUE,
            dueAt,
            createdAt));
    words
        .processing()
        .ifPresent(word -> looks.add(look(isWord(word), AdoptedIndexes.LEASE, until)));
    return looks;
  }

  @Override
  BsonValue dueSince() {
    BsonDocument waiting = date(dueAt, date(createdAt, BsonNull.VALUE));
    return words
        .processing()
        .map(
            word ->
                Bson.of(
                    "$cond",
                    Bson.of("$eq", Bson.field(status), Bson.literal(word)),
                    date(until, date(STRANGER_UNTIL, BsonNull.VALUE)),
                    waiting))
        .orElse(waiting);
  }

  private BsonDocument isWord(String word) {
    return new BsonDocument(status, new BsonString(word));
  }

  /** Where nothing says when a document was delivered, it is as old as the document. */
  @Override
  List<Look> delivered(Duration olderThan, ServerTime time) {
    if (expires) {
      return List.of();
    }
    BsonValue then = time.plus(olderThan.negated());
    return List.of(
        look(
            isDelivered().append(settledAt, isDate()).append("$expr", reached(settledAt, then)),
            AdoptedIndexes.DELIVERED,
            settledAt),
        look(
            isDelivered()
                .append(settledAt, BsonNull.VALUE)
                .append(createdAt, isDate())
                .append("$expr", reached(createdAt, then)),
            AdoptedIndexes.DELIVERED,
            createdAt));
  }

  @Override
  BsonDocument isDelivered() {
    return isWord(words.delivered());
  }

  // Dead letters

  @Override
  BsonDocument isDead() {
    return isWord(words.dead()).append(DIED_AT, isDate());
  }

  @Override
  BsonDocument dead() {
    return isDead();
  }

  @Override
  Optional<BsonValue> rawId(UUID id) {
    return Optional.empty();
  }

  @Override
  BsonDocument narrowed(
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
    return new BsonDocument(DIED_AT, new BsonDocument(operator, time));
  }

  private BsonDocument equal(Field field, String text) {
    return new BsonDocument(
        "$expr", Bson.of("$eq", messages.expression(field), Bson.literal(text)));
  }

  @Override
  BsonDocument again(BsonDateTime now) {
    BsonDocument set = isWord(words.pending()).append(attempts, ZERO).append(dueAt, now);
    Stream.of(Field.LEASE_OWNER, Field.LEASE_UNTIL, Field.SETTLED_AT)
        .map(layout::column)
        .flatMap(Optional::stream)
        .forEach(own -> set.append(own, BsonNull.VALUE));
    return set;
  }

  @Override
  Set<String> forgotten() {
    return Set.of(DIED_AT, CLAIMED_BY);
  }

  @Override
  Message standIn(BsonDocument document) {
    return messages.standIn(document);
  }
}
