package io.postroad.store;

import java.time.Instant;
import java.util.UUID;

/**
 * A key whose messages wait until a person decides about the dead letter that is first.
 *
 * @param deadLetter the first message
 * @param since when that message died
 * @param error of its last attempt
 * @param messages how many wait, the first one counted, up to {@link Backlog#COUNT_LIMIT}
 */
public record ParkedKey(
    OrderKey key, int lane, UUID deadLetter, Instant since, String error, long messages) {}
