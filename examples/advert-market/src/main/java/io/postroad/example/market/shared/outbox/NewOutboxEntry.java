package io.postroad.example.market.shared.outbox;

/**
 * A new entry.
 *
 * @param type the type of the event, which receivers can filter by; a header of the Kafka record
 */
public record NewOutboxEntry(
    String type,
    String dealId,
    String idempotencyKey,
    String topic,
    String partitionKey,
    String payload) {}
