package io.postroad.postgres.internal.jdbc;

import io.postroad.postgres.internal.queue.OutboxSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The first statement of a handler's transaction. Has the server end the transaction when its node
 * stands still or is cut off, and marks it, so that it can be told from another one on the same
 * connection: the settings end with the transaction, whether that is committed or rolled back.
 */
public final class TransactionLimit {
  // Settings that the user has made for the session stay.
  private static final String SILENCE =
      """
      SELECT
        set_config('postroad.transaction', '1', true),
        CASE WHEN current_setting('idle_in_transaction_session_timeout') = '0'
          THEN set_config('idle_in_transaction_session_timeout', s.longest, true) END${duration}
      FROM (SELECT CAST(? AS text) AS longest) AS s
      """;

  // Servers before 17 have no transaction_timeout.
  private static final String DURATION =
      """
      ,
        CASE WHEN current_setting('transaction_timeout', true) = '0'
          THEN set_config('transaction_timeout', s.longest, true) END\
      """;

  private static final String SET_SILENCE = SILENCE.replace("${duration}", "");
  private static final String SET_BOTH = SILENCE.replace("${duration}", DURATION);

  /** The error state that no other statement of Postroad has. */
  private static final String ENDED = "postroad: the marked transaction has ended";

  private static final JoinedStatement REQUIRE_SAME =
      new JoinedStatement(
          "finish",
          "make sure that the transaction is still the same",
          """
          SELECT CAST(
            COALESCE(NULLIF(current_setting('postroad.transaction', true), ''), '%s') AS integer)
          """
              .formatted(ENDED),
          parameters -> {});

  private static final String IS_SET =
      OutboxSql.BY_INDEX + "SELECT current_setting('idle_in_transaction_session_timeout') <> '0'";

  private TransactionLimit() {}

  /** Tells whether sessions have a limit that the user has set. */
  public static boolean isSet(Database database) {
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

  /** Limits how long the transaction may last, and how long it may be silent. */
  public static JoinedStatement of(Duration longest) {
    return limit("open", "limit how long the transaction may last", SET_BOTH, longest);
  }

  /** Limits how long the transaction may be silent. */
  public static JoinedStatement ofSilence(Duration longest) {
    return limit("enter", "limit how long the transaction may be silent", SET_SILENCE, longest);
  }

  private static JoinedStatement limit(String verb, String what, String text, Duration longest) {
    long millis = Math.max(1, Math.min(longest.toMillis(), Integer.MAX_VALUE));
    return new JoinedStatement(verb, what, text, parameters -> parameters.add(millis + "ms"));
  }

  /** Has the next statement of a marked transaction fail if it is another transaction by then. */
  public static void requireSame(Connection transaction) {
    Optional<LateWrites> last = LateWrites.lastOf(transaction);
    if (last.isPresent()) {
      REQUIRE_SAME.later(last.get());
    } else {
      REQUIRE_SAME.later(transaction, rows -> {});
    }
  }

  /** Commits a marked transaction, in one round trip, if it is still the same. */
  static void commitIfSame(Connection transaction) {
    JoinedStatement.runAllAndCommit(
        transaction, List.of(new JoinedStatement.Later(REQUIRE_SAME, rows -> {}, true)));
  }

  /** Whether a statement has failed because of {@link #requireSame}. */
  static boolean hasEnded(SQLException failed) {
    return failed.getMessage() != null && failed.getMessage().contains(ENDED);
  }
}
