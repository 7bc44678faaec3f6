package io.postroad.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Runs a statement in the transaction of a caller, whose settings and limits stay as they are. */
final class JoinedStatement {
  private JoinedStatement() {}

  @FunctionalInterface
  interface Step<R> {
    R run(PreparedStatement statement) throws SQLException;
  }

  /**
   * Prepares a statement and runs {@code step} with it.
   *
   * @param verb of the SPI, for the error without a transaction
   * @param what for any other error: could not {@code what}
   */
  static <R> R run(Connection transaction, String verb, String what, String text, Step<R> step) {
    return insert(
        transaction,
        verb,
        what,
        text,
        statement -> {
          PlanAnew.at(statement);
          return step.run(statement);
        });
  }

  /** {@link #run} of a statement that looks nothing up: the server may keep its plan. */
  static <R> R insert(Connection transaction, String verb, String what, String text, Step<R> step) {
    try {
      Appender.requireTransaction(transaction, verb);
      try (PreparedStatement statement = transaction.prepareStatement(text)) {
        return step.run(statement);
      }
    } catch (SQLException failed) {
      throw SqlErrors.failed(what, failed);
    }
  }
}
