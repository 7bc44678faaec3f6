package io.postroad.benchmarks.outbox;

/**
 * What one read of a log returned.
 *
 * @param messages late finishers first, then what follows the head
 * @param position what holds once the broker has them all
 * @param full there may be more behind it
 */
record PostgresLogChunk(LimitMessages messages, PostgresLogPosition position, boolean full) {}
