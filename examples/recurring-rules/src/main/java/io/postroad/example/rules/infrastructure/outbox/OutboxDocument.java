package io.postroad.example.rules.infrastructure.outbox;

import java.time.ZonedDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An event in the outbox, for reading. Postroad appends, claims and settles it; its own fields
 * begin with {@code postroad_} and are left out here.
 *
 * @param maxRetries set in documents of other programs; five if it is missing
 */
@Document(collection = "outbox")
public record OutboxDocument(
    @Id UUID id,
    String aggregateType,
    String aggregateId,
    String eventType,
    Map<String, @Nullable Object> payload,
    String status,
    String targetTopic,
    ZonedDateTime createdAt,
    @Nullable ZonedDateTime processedAt,
    int retryCount,
    @Nullable Integer maxRetries,
    @Nullable ZonedDateTime nextRetryAt,
    @Nullable String lastError) {}
