package io.postroad.example.market.shared.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code outbox}.
 *
 * @param dealId the deal of the event
 * @param idempotencyKey the unique key by which receivers recognise duplicates
 * @param partitionKey the key that selects the partition
 * @param retryCount the number of failed attempts
 * @param version the schema version of the payload
 * @param processedAt the time of delivery or of the final failure; null before
 */
public record OutboxEntry(
    long id,
    @Nullable String dealId,
    String idempotencyKey,
    String topic,
    @Nullable String partitionKey,
    String payload,
    OutboxStatus status,
    int retryCount,
    int version,
    Instant createdAt,
    @Nullable Instant processedAt) {}
