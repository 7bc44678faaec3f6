package io.postroad.example.payment.run;

import io.postroad.example.kit.Await;
import io.postroad.example.kit.Rows;
import java.sql.SQLException;
import java.time.Duration;

/** How the outbox stands, whatever the application says. Used by one thread. */
record Outbox(Rows rows) {
  long events() throws SQLException {
    return rows.count("outbox_event");
  }

  long pending() throws SQLException {
    return rows.count("outbox_event WHERE status = 'PENDING'");
  }

  /** Whether there are so many published events, and no others, in time. */
  boolean awaitPublished(long wanted, Duration atMost) throws SQLException, InterruptedException {
    return Await.until(
        () -> rows.count("outbox_event WHERE status = 'PUBLISHED'") == wanted && events() == wanted,
        atMost);
  }
}
