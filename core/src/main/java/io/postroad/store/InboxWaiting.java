package io.postroad.store;

import java.time.Instant;
import java.util.UUID;

/**
 * A message that waits in the retry line of its handler, and for which messages of its key wait.
 *
 * @param retryId id of the message in the retry store
 * @param key its key; only messages with one are written down as waiting
 * @param since when it was moved there, by the database's clock
 */
public record InboxWaiting(UUID retryId, String handler, String key, Instant since) {}
