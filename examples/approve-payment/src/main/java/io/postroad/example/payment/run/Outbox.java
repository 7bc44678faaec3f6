package io.postroad.example.payment.run;

import io.postroad.example.kit.Await;
import io.postroad.example.kit.Rows;
import java.sql.SQLException;
import java.time.Duration;

/** Reads the outbox table directly, without the application. Used by one thread. */
record Outbox(Rows rows) {
  long events() throws SQLException {
    return rows.count("outbox_event");
  }

  long pending() throws SQLException {
    return rows.count("outbox_event WHERE status = 'PENDING'");
  }

  /**
   * Waits until all events are published and their number is as given. Returns whether that
   * happened in time.
   */
  boolean awaitPublished(long wanted, Duration atMost) throws SQLException, InterruptedException {
    return Await.until(
        () -> rows.count("outbox_event WHERE status = 'PUBLISHED'") == wanted && events() == wanted,
        atMost);
  }
}
