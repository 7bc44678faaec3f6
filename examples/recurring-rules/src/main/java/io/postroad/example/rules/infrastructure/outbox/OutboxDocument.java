package io.postroad.example.rules.infrastructure.outbox;

import java.time.ZonedDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * An event in the outbox, to be read. Postroad appends, claims and settles it; fields of its own
 * begin with {@code postroad_} and are not here.
 *
 * @param maxRetries of documents that others wrote; five where there is none
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
