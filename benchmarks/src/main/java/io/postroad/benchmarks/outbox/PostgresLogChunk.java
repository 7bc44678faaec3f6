package io.postroad.benchmarks.outbox;

/**
 * The result of one read of a log.
 *
 * @param messages late commits first, then the rows after the head
 * @param position the position after the broker has accepted them all
 * @param full whether there may be more
 */
record PostgresLogChunk(LimitMessages messages, PostgresLogPosition position, boolean full) {}
