package io.postroad.example.payment.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Rows;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/** Checks that hold at any time. Used by one thread. */
final class ServiceChecks {
  private final Service service;
  private final Application application;
  private final Rows rows;
  private final Checks checks;

  ServiceChecks(Service service, Rows rows, Checks checks) {
    this.service = service;
    this.application = service.application();
    this.rows = rows;
    this.checks = checks;
  }

  /**
   * Checks refused requests.
   *
   * @param approved the id of an approved payment
   */
  void refusals(String approved) throws IOException, InterruptedException, SQLException {
    long payments = rows.count("payment");
    long events = rows.count("outbox_event");
    checks.isProblem(
        application.post(
            "/payments/approve",
            "{\"paymentId\":\"bad\",\"userId\":\"u\",\"amount\":-1,\"currency\":\"BRL\"}"),
        400,
        "amount",
        "a negative amount");
    checks.that(service.approve(approved, "u-0").statusCode() == 409, "a second approval is 409");
    checks.that(
        rows.count("payment") == payments && rows.count("outbox_event") == events,
        "and neither was stored");
  }

  /**
   * Checks the counts.
   *
   * @param events the number of events, all of which must be published in time
   */
  void numbers(long events, Duration atMost)
      throws IOException, InterruptedException, SQLException {
    checks.that(
        new Outbox(rows).awaitPublished(events, atMost),
        "all %d rows of outbox_event are PUBLISHED".formatted(events));
    String counts = application.get("/outbox/counts").body();
    checks.that(
        counts.contains("\"PENDING\":0")
            && counts.contains("\"PUBLISHED\":" + events)
            && counts.contains("\"FAILED\":0"),
        "counts: " + counts);
    String scrape = application.get("/actuator/prometheus").body();
    checks.that(
        scrape.contains("outbox_pending_events{") && scrape.contains("outbox_failed_events_total"),
        "Prometheus has outbox.pending.events and outbox.failed.events");
    checks.that(
        application.get("/actuator/health").body().contains("\"status\":\"UP\""), "health is UP");
    checks.that(
        application.log().contains("Outbox event saved: id=")
            && application.log().contains("Event published to Kafka: id="),
        "the log has the lines of the specification");
  }
}
