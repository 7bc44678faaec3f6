package io.postroad.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;

/** Has the server end a transaction whose node stands still or is cut off. */
final class TransactionLimit {
  // Settings of this transaction only. What the user has set for the session stays. Servers before
  // 17 have no transaction_timeout.
  private static final String SET =
      """
      SELECT
        CASE WHEN current_setting('idle_in_transaction_session_timeout') = '0'
          THEN set_config('idle_in_transaction_session_timeout', s.longest, true) END,
        CASE WHEN current_setting('transaction_timeout', true) = '0'
          THEN set_config('transaction_timeout', s.longest, true) END
      FROM (SELECT CAST(? AS text) AS longest) AS s
      """;

  private static final String IS_SET =
      OutboxSql.BY_INDEX + "SELECT current_setting('idle_in_transaction_session_timeout') <> '0'";

  private TransactionLimit() {}

  /** Tells whether sessions have a limit that the user has set. */
  static boolean isSet(Database database) {
    return database.call(
        "look how long a transaction may be silent",
        connection -> {
          try (PreparedStatement statement = database.prepare(connection, IS_SET);
              ResultSet row = Database.query(statement)) {
            row.next();
            return row.getBoolean(1);
          }
        });
  }

  /** Sets both limits, for the rest of the transaction in which it is run. */
  static JoinedStatement of(Duration longest) {
    long millis = Math.max(1, Math.min(longest.toMillis(), Integer.MAX_VALUE));
    return new JoinedStatement(
        "open",
        "limit how long the transaction may last",
        SET,
        parameters -> parameters.add(millis + "ms"));
  }
}
