package io.postroad.postgres.internal.jdbc;

import io.postroad.postgres.internal.append.Appender;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.transaction.TransactionEndedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A statement in the transaction of a caller, whose settings and limits stay as they are. Inside of
 * {@link JdbcTransactions#together}, writes that are done {@link #later} go to the server in front
 * of the next statement, in one round trip with it.
 *
 * @param verb of the SPI, for the error without a transaction
 * @param what for any other error: could not {@code what}
 */
public record JoinedStatement(String verb, String what, String text, Binding binding) {

  /** Binds the parameters. */
  @FunctionalInterface
  public interface Binding {
    void to(Parameters parameters) throws SQLException;
  }

  /** Reads what was found; the cursor stands before the first row. */
  @FunctionalInterface
  public interface Reading<R> {
    R of(ResultSet rows) throws SQLException;
  }

  /** Receives how many rows a write changed or returned. */
  @FunctionalInterface
  public interface Check {
    void changed(int rows);
  }

  /**
   * A write that is sent together with another statement.
   *
   * @param isSure whether the server itself fails it when it does not hold
   */
  record Later(JoinedStatement statement, Check check, boolean isSure) {}

  private static final JoinedStatement COMMIT =
      new JoinedStatement("commit", "commit", "COMMIT", parameters -> {});

  /** Runs it and reads what it returns. */
  public <R> R read(Connection transaction, Reading<R> reading) {
    return run(
        transaction,
        (results, isRows) -> {
          if (!isRows) {
            throw new SQLException("the driver has no rows for a statement that returns them");
          }
          try (ResultSet rows = results.getResultSet()) {
            return reading.of(rows);
          }
        });
  }

  /** Runs it; how many rows it changed or returned. */
  public int write(Connection transaction) {
    return run(transaction, JoinedStatement::rows);
  }

  /** Runs it now, or with the next statement of its transaction if that is put together. */
  public void later(Connection transaction, Check check) {
    Optional<LateWrites> late = LateWrites.of(transaction);
    if (late.isPresent()) {
      late.get().add(new Later(this, check, false));
    } else {
      check.changed(write(transaction));
    }
  }

  /**
   * Runs it with the next statement of its transaction; the server fails it if it does not hold.
   */
  public void later(LateWrites late) {
    late.add(new Later(this, rows -> {}, true));
  }

  /** Runs what waits for a statement that did not come. */
  static void runAll(Connection transaction, List<Later> waiting) {
    Later last = waiting.get(waiting.size() - 1);
    int rows =
        last.statement()
            .run(
                transaction,
                waiting.subList(0, waiting.size() - 1),
                isAnySure(waiting),
                JoinedStatement::rows);
    last.check().changed(rows);
  }

  /**
   * Runs what waits and commits, in one round trip. Nothing is read of their results: the driver
   * throws what any of them failed with.
   *
   * @throws ChangedMeanwhileException when one of them did not hold
   */
  static void runAllAndCommit(Connection transaction, List<Later> waiting) {
    boolean unused =
        COMMIT.sent(transaction, waiting, isAnySure(waiting), (results, isRows) -> true);
  }

  private static boolean isAnySure(List<Later> waiting) {
    return waiting.stream().anyMatch(Later::isSure);
  }

  private <R> R run(Connection transaction, Results<R> results) {
    List<Later> before = LateWrites.takenFrom(transaction);
    return run(transaction, before, isAnySure(before), results);
  }

  @FunctionalInterface
  private interface Results<R> {
    R of(PreparedStatement statement, boolean isRows) throws SQLException;
  }

  private <R> R run(
      Connection transaction, List<Later> before, boolean isAnySure, Results<R> results) {
    return sent(
        transaction,
        before,
        isAnySure,
        (statement, isFirstRows) -> {
          boolean isRows = isFirstRows;
          for (Later write : before) {
            if (!write.isSure()) {
              write.check().changed(rows(statement, isRows));
            }
            isRows = statement.getMoreResults();
          }
          return results.of(statement, isRows);
        });
  }

  /** Sends all, and reads the results from that of the first on. */
  private <R> R sent(
      Connection transaction, List<Later> before, boolean isAnySure, Results<R> results) {
    List<JoinedStatement> all = new ArrayList<>();
    before.forEach(write -> all.add(write.statement()));
    all.add(this);
    try {
      Appender.requireTransaction(transaction, verb);
      try (PreparedStatement statement = transaction.prepareStatement(joined(all))) {
        Parameters parameters = new Parameters(statement);
        for (JoinedStatement each : all) {
          each.binding.to(parameters);
        }
        return results.of(statement, statement.execute());
      }
    } catch (SQLException failed) {
      throw LateWrites.failed(transaction, failed(all, isAnySure, failed));
    } catch (RuntimeException failed) {
      throw LateWrites.failed(transaction, failed);
    }
  }

  /** Which of several did not hold is known when each is written and looked at by itself. */
  private static RuntimeException failed(
      List<JoinedStatement> all, boolean isAnySure, SQLException failed) {
    if (TransactionLimit.hasEnded(failed)) {
      return new TransactionEndedException("rollback() or commit(), in Java or as SQL,");
    }
    String whats = all.stream().map(JoinedStatement::what).collect(Collectors.joining(", "));
    if (all.contains(COMMIT) && SqlErrors.isConnectionLost(failed)) {
      return SqlErrors.unknownOutcome(failed);
    }
    return isAnySure && SqlErrors.doesNotHold(failed)
        ? new ChangedMeanwhileException(
            "could not %s: what was known does not hold any more; roll back and repeat it with a look first"
                .formatted(whats),
            failed)
        : SqlErrors.failed(whats, failed);
  }

  private static String joined(List<JoinedStatement> all) {
    return ShortPlans.of(all.stream().map(JoinedStatement::text).toList());
  }

  private static int rows(PreparedStatement statement, boolean isRows) throws SQLException {
    if (!isRows) {
      int changed = statement.getUpdateCount();
      if (changed < 0) {
        throw new SQLException("the driver has no result for a statement that it has run");
      }
      return changed;
    }
    int count = 0;
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }
}
