package io.postroad.postgres.internal.log;

import io.postroad.postgres.internal.jdbc.Database;
import io.postroad.postgres.internal.jdbc.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Locks tables of the log without waiting long, and names the transactions that are in the way. */
public final class LogLocks {
  private final Database database;
  private final RotationSql sql;

  public LogLocks(Database database, RotationSql sql) {
    this.database = database;
    this.sql = sql;
  }

  /**
   * Runs a LOCK TABLE; false when it could not be had in time. The transaction goes on either way.
   */
  boolean lock(Connection connection, String text, String patience) throws SQLException {
    try (PreparedStatement statement = database.prepare(connection, sql.patience)) {
      statement.setString(1, patience);
      statement.executeQuery().close();
    }
    Savepoint before = connection.setSavepoint();
    try (PreparedStatement statement = database.prepare(connection, text)) {
      statement.executeUpdate();
      connection.releaseSavepoint(before);
      return true;
    } catch (SQLException failed) {
      if (!SqlErrors.isLockTimeout(failed)) {
        throw failed;
      }
      connection.rollback(before);
      return false;
    }
  }

  /**
   * The transactions that have used a table.
   *
   * @param readers whether those that only read it count
   */
  List<String> holders(Connection connection, int table, boolean readers) throws SQLException {
    List<String> holders = new ArrayList<>();
    try (PreparedStatement statement = database.prepare(connection, sql.holders.get(table))) {
      statement.setBoolean(1, readers);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          holders.add(holder(row));
        }
      }
    }
    return holders;
  }

  private static String holder(ResultSet row) throws SQLException {
    @Nullable String gid = row.getString(6);
    if (gid != null) {
      return ("the prepared transaction '%s' (owner %s) has used it and is neither committed nor"
              + " rolled back for %d s; run COMMIT PREPARED '%s' or ROLLBACK PREPARED '%s'")
          .formatted(gid, row.getString(2), row.getLong(5), gid, gid);
    }
    @Nullable String state = row.getString(4);
    String session =
        "process %d (user %s, application '%s'"
            .formatted(row.getInt(1), row.getString(2), row.getString(3));
    // Sessions of other roles keep it to themselves.
    return state == null
        ? session
            + ") has used it in a transaction that is open; with pg_read_all_stats this role would"
            + " see for how long"
        : session
            + ", %s) has used it in a transaction that is open for %d s"
                .formatted(state, row.getLong(5));
  }
}
