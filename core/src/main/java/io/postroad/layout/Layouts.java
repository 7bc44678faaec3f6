package io.postroad.layout;

import java.time.Duration;
import java.util.List;

/** Layouts that come with Postroad. Change one with its {@code with} methods. */
public final class Layouts {
  private Layouts() {}

  /** Returns table {@code outbox_event}: three statuses, ids as text, times without a zone. */
  public static Layout paymentOutbox() {
    return Layout.of(
            "payment-outbox", "outbox_event", Statuses.of("PENDING", "PUBLISHED", "FAILED"))
        .with(Field.ID, "id")
        .with(Field.AGGREGATE_TYPE, "aggregate_type")
        .with(Field.AGGREGATE_ID, "aggregate_id")
        .with(Field.TYPE, "event_type")
        .with(Field.DESTINATION, "topic")
        .with(Field.KEY, "partition_key")
        .with(Field.PAYLOAD, "payload")
        .with(Field.STATUS, "status")
        .with(Field.ATTEMPTS, "retry_count")
        .with(Field.LAST_ERROR, "error_message")
        .with(Field.CREATED_AT, "created_at")
        .with(Field.SETTLED_AT, "published_at")
        .with(Field.SCHEMA_VERSION, "version")
        .withExecutions(3);
  }

  /** Returns {@code outbox} of the advert market: claims are a status; 1 second minimum age. */
  public static Layout advertMarket() {
    return Layout.of(
            "advert-market",
            "outbox",
            Statuses.of("PENDING", "DELIVERED", "FAILED").withProcessing("PROCESSING"))
        .with(Field.ID, "id")
        .with(Field.AGGREGATE_ID, "deal_id")
        .with(Field.AGGREGATE_TYPE, Fallback.to("deal"))
        .with(Field.DEDUPLICATION_KEY, "idempotency_key")
        .with(Field.DESTINATION, "topic")
        .with(Field.KEY, "partition_key")
        .with(Field.PAYLOAD, "payload")
        .with(Field.STATUS, "status")
        .with(Field.ATTEMPTS, "retry_count")
        .with(Field.SCHEMA_VERSION, "version")
        .with(Field.CREATED_AT, "created_at")
        .with(Field.SETTLED_AT, "processed_at")
        .withMinAge(Duration.ofSeconds(1))
        .withExecutions(3);
  }

  /** Returns {@code outbox} of the messaging platform guide, with its limit of retries. */
  public static Layout messagingPlatform(int maxRetries) {
    return Layout.of("messaging-platform", "outbox", Statuses.of("PENDING", "DISPATCHED", "FAILED"))
        .with(Field.ID, "outbox_id")
        .with(Field.CATEGORY, "category")
        .with(Field.DESTINATION, "destination")
        .with(Field.PAYLOAD, "payload")
        .with(Field.STATUS, "status")
        .with(Field.ATTEMPTS, "retry_count")
        .with(Field.CREATED_AT, "created_at")
        .withExecutions(maxRetries + 1);
  }

  /** Returns the table of Debezium's outbox event router, whose rows have no status. */
  public static Layout debezium() {
    return Layout.of("debezium", "outboxevent", Statuses.of("PENDING", "DISPATCHED", "FAILED"))
        .with(Field.ID, "id")
        .with(Field.AGGREGATE_TYPE, "aggregatetype")
        .with(Field.AGGREGATE_ID, "aggregateid")
        .with(Field.TYPE, "type")
        .with(Field.PAYLOAD, "payload")
        .with(Field.KEY, Fallback.to(Field.AGGREGATE_ID))
        .with(Field.DESTINATION, Fallback.to("outbox.event.", Field.AGGREGATE_TYPE))
        .withPayload(PayloadForm.JSON);
  }

  /** Returns collection {@code outbox} of the recurring rules: embedded payloads, camelCase. */
  public static Layout recurringRules() {
    return Layout.of(
            "recurring-rules",
            "outbox",
            Statuses.of("PENDING", "SENT", "FAILED").withProcessing("PROCESSING"))
        .with(Field.ID, "_id")
        .with(Field.AGGREGATE_TYPE, "aggregateType")
        .with(Field.AGGREGATE_ID, "aggregateId")
        .with(Field.TYPE, "eventType")
        .with(Field.PAYLOAD, "payload")
        .with(Field.STATUS, "status")
        .with(Field.DESTINATION, "targetTopic")
        .with(Field.KEY, Fallback.to(Field.AGGREGATE_ID))
        .with(Field.CREATED_AT, "createdAt")
        .with(Field.SETTLED_AT, "processedAt")
        .with(Field.ATTEMPTS, "retryCount")
        .with(Field.DUE_AT, "nextRetryAt")
        .with(Field.LAST_ERROR, "lastError")
        .withPayload(PayloadForm.JSON)
        .withExecutions(5)
        .withRevivesFailed(true);
  }

  /** Returns collection {@code outbox} without a broker: five statuses, leases of its own. */
  public static Layout brokerless() {
    return Layout.of(
            "brokerless",
            "outbox",
            Statuses.of("new", "done", "dead").withProcessing("processing").withWaiting("failed"))
        .with(Field.ID, "_id")
        .with(Field.DESTINATION, "stream")
        .with(Field.TYPE, "event_type")
        .with(Field.AGGREGATE_ID, "aggregate_id")
        .with(Field.AGGREGATE_TYPE, Fallback.to(Field.DESTINATION))
        .with(Field.KEY, Fallback.to(Field.AGGREGATE_ID))
        .with(Field.PAYLOAD, "payload")
        .with(Field.CREATED_AT, "created_at")
        .with(Field.STATUS, "status")
        .with(Field.LEASE_OWNER, "lease_owner")
        .with(Field.LEASE_UNTIL, "lease_until")
        .with(Field.ATTEMPTS, "attempts")
        .with(Field.LAST_ERROR, "last_error")
        .with(Field.DUE_AT, "next_retry_at")
        .withPayload(PayloadForm.JSON)
        .withCounting(Counting.AT_CLAIM);
  }

  /** Returns the layouts of tables of PostgreSQL. */
  public static List<Layout> ofTables() {
    return List.of(paymentOutbox(), advertMarket(), messagingPlatform(3), debezium());
  }

  /** Returns the layouts of collections of MongoDB. */
  public static List<Layout> ofCollections() {
    return List.of(recurringRules(), brokerless());
  }
}
