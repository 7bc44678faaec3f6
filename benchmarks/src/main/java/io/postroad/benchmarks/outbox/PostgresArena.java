package io.postroad.benchmarks.outbox;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The resources of a contender on PostgreSQL in a round.
 *
 * @param pool the shared connection pool, which counts statements
 * @param jdbcUrl the address for {@link #connect()}
 * @param statements counts the statements of this round
 * @param schema an empty schema for its tables
 * @param orders the business table, in the same schema
 * @param topic the topic of its events
 */
record PostgresArena(
    DataSource pool,
    String jdbcUrl,
    JdbcCounter statements,
    String schema,
    PostgresOrders orders,
    Topic topic) {

  /** Opens a connection outside the pool. */
  Connection connect() throws SQLException {
    return statements.counted(DriverManager.getConnection(jdbcUrl));
  }
}
