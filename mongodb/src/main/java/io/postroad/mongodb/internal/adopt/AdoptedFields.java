package io.postroad.mongodb.internal.adopt;

import io.postroad.layout.Field;
import io.postroad.layout.Layout;
import io.postroad.layout.Statuses;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.Look;
import io.postroad.mongodb.internal.queue.QueueNames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Fields and words of an adopted collection, for queries and updates. */
final class AdoptedFields {
  /** Time from which a claim of other code, without a lease, may be taken over. */
  static final String STRANGER_UNTIL = "postroad_stranger_until";

  /** Time of becoming a dead letter; missing in dead documents that Postroad has not seen yet. */
  static final String DIED_AT = "postroad_died_at";

  /** Reason for which it is set aside. */
  static final String ASIDE_TO = "postroad_aside_to";

  /** Copy of the lease owner; differs when other code took the lease in the same field. */
  static final String CLAIMED_BY = "postroad_claimed_by";

  /** Number of attempts that a document may have, in a layout that revives dead rows. */
  static final String MAX_RETRIES = "maxRetries";

  static final BsonInt32 ONE = new BsonInt32(1);
  static final BsonInt32 ZERO = new BsonInt32(0);
  static final BsonString REMOVE = new BsonString("$$REMOVE");

  final Layout layout;
  final Statuses words;
  final QueueNames names;
  final String status;
  final String attempts;
  final String token;
  final String owner;
  final String until;
  final String dueAt;
  final String createdAt;
  final String settledAt;
  final String asideAt;

  AdoptedFields(Layout layout) {
    this.layout = layout;
    this.words = layout.statuses();
    this.names =
        new QueueNames(
            layout.columnOrAdded(Field.STATUS),
            layout.columnOrAdded(Field.ATTEMPTS),
            layout.columnOrAdded(Field.LAST_ERROR),
            new QueueNames.Lease(
                layout.columnOrAdded(Field.LEASE_TOKEN),
                layout.columnOrAdded(Field.LEASE_OWNER),
                layout.columnOrAdded(Field.LEASE_UNTIL),
                "postroad_expired_owner"),
            new QueueNames.Times(
                layout.columnOrAdded(Field.CREATED_AT),
                DIED_AT,
                layout.columnOrAdded(Field.ASIDE_AT)),
            new QueueNames.Marks("postroad_claim", "postroad_settle", "postroad_replaces"));
    this.status = names.status();
    this.attempts = names.attempts();
    this.token = names.lease().token();
    this.owner = names.lease().owner();
    this.until = names.lease().until();
    this.dueAt = layout.columnOrAdded(Field.DUE_AT);
    this.createdAt = names.times().createdAt();
    this.settledAt = layout.columnOrAdded(Field.SETTLED_AT);
    this.asideAt = names.times().asideAt();
  }

  /** Returns the statuses of messages that wait to be claimed. */
  static List<BsonString> waiting(Statuses words) {
    return Stream.concat(Stream.of(words.pending()), words.waiting().stream())
        .map(BsonString::new)
        .toList();
  }

  BsonDocument isWord(String word) {
    return new BsonDocument(status, new BsonString(word));
  }

  /** Returns null for a field of the team, which stays, and removes a field of Postroad. */
  BsonValue emptied(Field field) {
    return layout.column(field).isPresent() ? BsonNull.VALUE : REMOVE;
  }

  static BsonDocument reached(String field, BsonValue when) {
    return Bson.of("$lte", Bson.field(field), when);
  }

  static BsonDocument isDate() {
    return new BsonDocument("$type", new BsonString("date"));
  }

  static BsonDocument type(String field) {
    return new BsonDocument("$type", Bson.field(field));
  }

  static BsonDocument date(String field, BsonValue otherwise) {
    return Bson.of(
        "$cond", Bson.of("$eq", type(field), new BsonString("date")), Bson.field(field), otherwise);
  }

  static BsonDocument number(String field, BsonValue otherwise) {
    return Bson.of(
        "$cond", new BsonDocument("$isNumber", Bson.field(field)), Bson.field(field), otherwise);
  }

  static Look look(BsonDocument which, String index, String... by) {
    BsonDocument order = new BsonDocument();
    Stream.of(by).forEach(field -> order.append(field, ONE));
    return new Look(which, order, by[0], Optional.of(index));
  }
}
