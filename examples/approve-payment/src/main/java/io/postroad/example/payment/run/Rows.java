package io.postroad.example.payment.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** What is in the database, whatever the application says. Used by one thread. */
final class Rows implements AutoCloseable {
  private static final long LOOK_EVERY_MILLIS = 100;

  private final Connection connection;

  Rows(Servers servers) throws SQLException {
    connection = DriverManager.getConnection(servers.jdbcUrl());
  }

  long count(String table) throws SQLException {
    return Long.parseLong(strings("SELECT count(*) FROM " + table).iterator().next());
  }

  Set<String> strings(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      Set<String> found = new HashSet<>();
      while (result.next()) {
        found.add(result.getString(1));
      }
      return found;
    }
  }

  long pending() throws SQLException {
    return count("outbox_event WHERE status = 'PENDING'");
  }

  /** Whether there are so many published events, and no others, in time. */
  boolean awaitPublished(long wanted, Duration atMost) throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (true) {
      long published = count("outbox_event WHERE status = 'PUBLISHED'");
      if (published == wanted && published == count("outbox_event")) {
        return true;
      }
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      Thread.sleep(LOOK_EVERY_MILLIS);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
