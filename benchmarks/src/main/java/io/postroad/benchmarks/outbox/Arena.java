package io.postroad.benchmarks.outbox;

import javax.sql.DataSource;

/**
 * What a contender may use in a round.
 *
 * @param pool connections, the same pool for everybody
 * @param jdbcUrl for a contender that keeps connections of its own
 * @param schema an empty schema for its tables
 * @param bootstrapServers of the broker
 * @param topic a new topic of 8 partitions, where its events go
 */
record Arena(
    DataSource pool, String jdbcUrl, String schema, String bootstrapServers, String topic) {}
