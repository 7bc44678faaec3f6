package io.postroad.store;

import io.postroad.message.Message;
import java.time.Instant;
import java.util.Optional;

/**
 * A message with its state in the store.
 *
 * @param attempts how often it was claimed, releases not counted
 * @param dueAt when it may be claimed (next): its due time, or the end of its lease; of no meaning
 *     once it is DISPATCHED or FAILED
 * @param owner the node that holds or last held the lease while PROCESSING or expired
 * @param lastError of the latest failed attempt
 */
public record StoredMessage(
    Message message,
    MessageStatus status,
    int attempts,
    Instant appendedAt,
    Instant dueAt,
    Optional<String> owner,
    Optional<String> lastError) {}
