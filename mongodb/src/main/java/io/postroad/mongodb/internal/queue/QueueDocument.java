package io.postroad.mongodb.internal.queue;

import io.postroad.message.Message;
import io.postroad.mongodb.internal.append.MessageDocument;
import io.postroad.mongodb.internal.client.Bson;
import io.postroad.mongodb.internal.client.ServerTime;
import java.util.Arrays;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** The fields of a document of the queue beside its message, and the filters over them. */
public final class QueueDocument {
  static final String STATUS = "status";
  static final String ATTEMPTS = "attempts";
  static final String TOKEN = "token";
  static final String LEASE_OWNER = "lease_owner";
  static final String LEASE_UNTIL = "lease_until";
  static final String LAST_ERROR = "last_error";
  static final String NEXT_RETRY_AT = "next_retry_at";
  static final String SETTLED_AT = "settled_at";

  /**
   * The time from which it can be claimed: the retry time or the end of the lease; missing when
   * done or dead.
   */
  static final String DUE_AT = "due_at";

  /** Since when it waits for its destination; only while it is set aside. */
  static final String ASIDE_AT = DestinationIndex.ASIDE_AT;

  /** The owner that let its lease expire before the current claim. */
  static final String EXPIRED_OWNER = "expired_owner";

  /** Which claim, and which settle, was the latest to change it. */
  static final String CLAIM = "claim";

  static final String SETTLE = "settle";

  /** Which dead letter this message was put in the place of. */
  static final String REPLACES = "replaces";

  static final String NEW = "new";
  static final String PROCESSING = "processing";
  static final String DONE = "done";
  static final String RETRY = "failed";
  static final String DEAD = "dead";

  private QueueDocument() {}

  /** A message that is appended now. */
  public static BsonDocument fresh(Message message, BsonDateTime now) {
    BsonDateTime due =
        message
            .notBefore()
            .map(MessageDocument::time)
            .filter(time -> time.compareTo(now) > 0)
            .orElse(now);
    return MessageDocument.write(message, now)
        .append(STATUS, new BsonString(NEW))
        .append(ATTEMPTS, new BsonInt32(0))
        .append(TOKEN, new BsonInt64(0))
        .append(NEXT_RETRY_AT, due)
        .append(DUE_AT, due);
  }

  /**
   * Selects documents that can be claimed: new or failed and due, or processing under an expired
   * lease. Both are in {@code due_at}, so one index serves them in order.
   */
  static BsonDocument due(ServerTime time) {
    return new BsonDocument(DUE_AT, new BsonDocument("$exists", BsonBoolean.TRUE))
        .append("$expr", Bson.of("$lte", Bson.field(DUE_AT), time.now()))
        .append(STATUS, statuses(NEW, RETRY, PROCESSING));
  }

  /** Selects documents with this status by the time of their settlement. */
  static BsonDocument settled(String status) {
    return new BsonDocument(STATUS, new BsonString(status))
        .append(SETTLED_AT, new BsonDocument("$exists", BsonBoolean.TRUE));
  }

  static BsonDocument statuses(String... statuses) {
    return Bson.in(Arrays.stream(statuses).map(BsonString::new).toList());
  }
}
