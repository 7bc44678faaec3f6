package io.postroad.benchmarks.outbox;

/**
 * Where the events of a round go: a new topic of 8 partitions.
 *
 * @param bootstrapServers of the broker
 */
record Topic(String bootstrapServers, String name) {}
