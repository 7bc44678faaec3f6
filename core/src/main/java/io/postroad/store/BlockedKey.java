package io.postroad.store;

import java.time.Instant;
import java.util.UUID;

/**
 * A key whose messages wait until an operator decides about its dead letter.
 *
 * @param deadLetter the first message
 * @param since when that message died
 * @param error of its last attempt
 * @param messages how many wait, the dead letter included, up to {@link Backlog#COUNT_LIMIT}
 */
public record BlockedKey(
    OrderKey key, int lane, UUID deadLetter, Instant since, String error, long messages) {}
