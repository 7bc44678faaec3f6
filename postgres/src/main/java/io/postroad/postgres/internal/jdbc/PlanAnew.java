package io.postroad.postgres.internal.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.PGStatement;

/**
 * Keeps the server from caching a plan, for lookups on a caller's connection: one that was made
 * while the table was empty is a sequential scan, and the caller's settings are not ours to change.
 */
public final class PlanAnew {
  private PlanAnew() {}

  public static void at(PreparedStatement statement) throws SQLException {
    if (statement.isWrapperFor(PGStatement.class)) {
      statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    }
  }
}
