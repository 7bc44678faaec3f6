package io.postroad.postgres.internal.schema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A session, or a prepared transaction, that has a lock on a table.
 *
 * @param text says to a person which one it is
 * @param isAutovacuum whether it gives way when another session waits for a while
 */
public record TableHolder(String text, boolean isAutovacuum) {
  private static final String HOLDERS =
      """
      SELECT COALESCE(
          format('session %1$s (%2$s of user %3$s, application ''%4$s'', client %5$s, %6$s, transaction open since %7$s, last statement: %8$s)',
            a.pid, a.backend_type, a.usename, a.application_name,
            COALESCE(CAST(a.client_addr AS text), 'local'), COALESCE(a.state, 'active'), a.xact_start,
            left(regexp_replace(a.query, '\\s+', ' ', 'g'), 200)),
          'a prepared transaction (see pg_prepared_xacts)'),
        COALESCE(a.backend_type = 'autovacuum worker', false)
      FROM (
        SELECT DISTINCT l.pid
        FROM pg_locks AS l
        WHERE l.locktype = 'relation' AND l.relation = CAST(? AS regclass) AND l.granted
          AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database())
          AND l.pid IS DISTINCT FROM pg_backend_pid()) AS h
      LEFT JOIN pg_stat_activity AS a ON a.pid = h.pid
      ORDER BY a.xact_start
      LIMIT 5
      """;

  /** The oldest ones; none when they have just ended. */
  public static List<TableHolder> of(Connection connection, TableName table) throws SQLException {
    List<TableHolder> holders = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(HOLDERS)) {
      statement.setString(1, table.quoted());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          holders.add(new TableHolder(row.getString(1), row.getBoolean(2)));
        }
      }
    }
    return holders;
  }

  @Override
  public String toString() {
    return text;
  }
}
