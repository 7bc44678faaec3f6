package io.postroad.benchmarks.outbox;

/**
 * The topic of a round, with 8 partitions.
 *
 * @param bootstrapServers the address of the broker
 */
record Topic(String bootstrapServers, String name) {}
