package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * What a contender may use in a round.
 *
 * @param pool connections, the same pool for everybody, counted
 * @param jdbcUrl where {@link #connect()} connects to
 * @param statements counts what goes through the connections of this round
 * @param schema an empty schema for its tables
 * @param bootstrapServers of the broker
 * @param topic a new topic of 8 partitions, where its events go
 */
record Arena(
    DataSource pool,
    String jdbcUrl,
    StatementCount statements,
    String schema,
    String bootstrapServers,
    String topic) {

  /** A connection outside the pool, for a contender that keeps some of its own. */
  Connection connect() throws SQLException {
    return statements.counted(DriverManager.getConnection(jdbcUrl));
  }
}
