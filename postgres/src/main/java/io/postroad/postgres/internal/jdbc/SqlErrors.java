package io.postroad.postgres.internal.jdbc;

import io.postroad.message.PostroadException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** Says what a database error means for the caller. Decided by SQLSTATE, never by text. */
public final class SqlErrors {
  private SqlErrors() {}

  /** The database undid the statement because of others; the same again may work. */
  public static boolean isConflict(SQLException error) {
    String state = state(error);
    return state.equals("40001") || state.equals("40P01");
  }

  /** Another session held a lock for longer than the timeout. */
  public static boolean isLockTimeout(SQLException error) {
    return state(error).equals("55P03");
  }

  /** The connection is gone, or the server is going or coming. */
  static boolean isConnectionLost(SQLException error) {
    String state = state(error);
    return state.startsWith("08") || state.startsWith("57P0");
  }

  /**
   * Returns whether the next attempt may succeed: a conflict, a lock that was held for too long, a
   * lost connection or one that could not be had, a server without room, a primary that is none any
   * more. Not a statement that took too long or was cancelled, which would take as long again.
   */
  public static boolean isTransient(SQLException error) {
    String state = state(error);
    return isConflict(error)
        || isLockTimeout(error)
        || isConnectionLost(error)
        || state.startsWith("53")
        || state.equals("25006")
        || state.equals("25P03")
        || state.equals("25P04")
        || error instanceof SQLTransientConnectionException
        || error instanceof SQLRecoverableException;
  }

  /** The role lacks a right. */
  public static boolean isDenied(SQLException error) {
    return state(error).equals("42501");
  }

  /** The values are at fault: a column cannot hold one, or a constraint refuses it. */
  public static boolean isBadData(SQLException error) {
    String state = state(error);
    return state.startsWith("22") || state.startsWith("23");
  }

  /** A unique index has the value already. */
  public static boolean isDuplicate(SQLException error) {
    return state(error).equals("23505");
  }

  /**
   * Returns whether a statement failed by its own check: a constraint, or a division by the number
   * of rows that they changed.
   */
  static boolean doesNotHold(SQLException error) {
    return state(error).startsWith("23") || state(error).equals("22012");
  }

  /** A commit went out and no answer came. */
  static PostroadException unknownOutcome(SQLException error) {
    return new PostroadException(
        "the connection was lost during the commit, so its outcome is unknown: all of the"
            + " transaction is committed or nothing of it; read your data before you repeat it",
        error);
  }

  /** An exception for {@code what} that could not be done, for example {@code claim messages}. */
  public static PostroadException failed(String what, SQLException error) {
    return new PostroadException(
        "could not %s: %s; %s".formatted(what, firstLine(error), advice(error)), error);
  }

  private static String advice(SQLException error) {
    String state = state(error);
    if (isConnectionLost(error)) {
      return "the database cannot be reached or is restarting, so it may or may not be done; it is"
          + " safe to try again";
    }
    if (isConflict(error)) {
      return "other transactions were in the way and nothing of it was done; try again";
    }
    return switch (state) {
      case "25P02" -> "an earlier statement of this transaction has failed; roll it back";
      case "25006" -> "this connection is read-only; point the DataSource to the primary";
      case "53300", "53400" -> "the server has no room for it; try again, or raise its limits";
      case "57014" ->
          "it was cancelled, most likely by a statement timeout; nothing of it was done";
      case "42P01", "42703", "3F000" ->
          "the schema does not fit; see PostgresSchema.verify() for what is missing";
      case "42501" ->
          "the role lacks a right on it; have the owner of the tables run PostgresSchema.grants(role)";
      case "26000", "42P05" ->
          "a transaction pooler seems to mix up prepared statements; set prepareThreshold=0 in the"
              + " JDBC URL";
      default -> "nothing of it was done (SQLSTATE " + state + ")";
    };
  }

  /** Details after the first line may contain stored values. */
  private static String firstLine(SQLException error) {
    @Nullable String text = error.getMessage();
    return text == null ? error.getClass().getSimpleName() : text.lines().findFirst().orElse("");
  }

  private static String state(SQLException error) {
    @Nullable String state = error.getSQLState();
    return state == null ? "" : state;
  }
}
