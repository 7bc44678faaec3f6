package io.postroad.benchmarks.outbox;

/**
 * The result of one read of a log.
 *
 * @param messages in the order of their positions
 * @param position the position after the broker has accepted them all
 * @param full whether there may be more
 */
record MongoLogChunk(LimitMessages messages, MongoLogPosition position, boolean full) {}
