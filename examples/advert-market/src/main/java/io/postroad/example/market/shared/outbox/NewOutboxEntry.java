package io.postroad.example.market.shared.outbox;

/**
 * What is to be told.
 *
 * @param type what happened, for receivers who choose by it; a header of the record in Kafka
 */
public record NewOutboxEntry(
    String type,
    String dealId,
    String idempotencyKey,
    String topic,
    String partitionKey,
    String payload) {}
