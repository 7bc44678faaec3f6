package io.postroad.spi;

import java.time.Instant;
import java.util.UUID;

/**
 * A message that waits in the retry line, and for which messages of its order and key wait.
 *
 * @param retryId id of the message in the retry store
 * @param order the order that its handler keeps: see {@link InboxEntry}
 * @param key its key; only messages with one are written down as waiting
 * @param since when it was moved there, by the database's clock
 */
public record InboxWaiting(UUID retryId, String order, String key, Instant since) {}
