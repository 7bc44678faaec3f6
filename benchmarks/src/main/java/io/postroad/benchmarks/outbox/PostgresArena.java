package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * What a contender on PostgreSQL may use in a round.
 *
 * @param pool connections, the same pool for everybody, counted
 * @param jdbcUrl where {@link #connect()} connects to
 * @param statements counts what goes through the connections of this round
 * @param schema an empty schema for its tables
 * @param orders the business table, in the same schema
 * @param topic where its events go
 */
record PostgresArena(
    DataSource pool,
    String jdbcUrl,
    JdbcCounter statements,
    String schema,
    PostgresOrders orders,
    Topic topic) {

  /** A connection outside the pool, for a contender that keeps some of its own. */
  Connection connect() throws SQLException {
    return statements.counted(DriverManager.getConnection(jdbcUrl));
  }
}
