package io.postroad.benchmarks.process;

import io.postroad.benchmarks.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The business of a transfer: each step writes a row, in a table without any constraint that could
 * hide a second execution. One in twenty fails at the credit.
 */
final class Transfers {
  static final int FAILING = 20;

  private final DataSource pool;

  Transfers(DataSource pool) {
    this.pool = pool;
  }

  void reset() throws SQLException {
    Sql.run(pool, "DROP TABLE IF EXISTS entry");
    Sql.run(pool, "CREATE TABLE entry (transfer bigint NOT NULL, step text NOT NULL)");
  }

  static boolean fails(long transfer, boolean someFail) {
    return someFail && transfer % FAILING == 0;
  }

  void write(Connection connection, long transfer, String step) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO entry (transfer, step) VALUES (?, ?)")) {
      insert.setLong(1, transfer);
      insert.setString(2, step);
      insert.executeUpdate();
    }
  }

  /** Refuses a run that lost an effect, has one twice, or has undone the wrong ones. */
  void verify(String who, int transfers, boolean someFail) throws SQLException {
    long failing = someFail ? (transfers + FAILING - 1L) / FAILING : 0;
    long expected = 4 * (transfers - failing) + 4 * failing;
    long rows = Sql.number(pool, "SELECT count(*) FROM entry");
    long distinct =
        Sql.number(pool, "SELECT count(*) FROM (SELECT DISTINCT transfer, step FROM entry) e");
    long undone = Sql.number(pool, "SELECT count(*) FROM entry WHERE step LIKE 'Undo%'");
    if (rows != expected || distinct != expected || undone != 2 * failing) {
      throw new IllegalStateException(
          "%s wrote %d entries, %d different ones, %d of undos; expected %d and %d"
              .formatted(who, rows, distinct, undone, expected, 2 * failing));
    }
  }
}
