package io.postroad.benchmarks.outbox;

/**
 * What one read of a log returned.
 *
 * @param messages in the order of their positions
 * @param position what holds once the broker has them all
 * @param full there may be more behind it
 */
record MongoLogChunk(LimitMessages messages, MongoLogPosition position, boolean full) {}
