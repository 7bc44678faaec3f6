package io.postroad.example.market.shared.outbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code outbox}.
 *
 * @param id of the row
 * @param dealId the deal that it tells of
 * @param idempotencyKey receivers know by it what they have seen; no two entries have the same
 * @param partitionKey entries of one key go to one partition
 * @param retryCount attempts that failed
 * @param version of the schema of the payload
 * @param processedAt when it was delivered or given up; null before
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
