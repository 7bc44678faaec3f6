package io.postroad.example.rules.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;

/** Checks that hold at any time. Used by one thread. */
final class ServiceChecks {
  private final Application application;
  private final Documents documents;
  private final Checks checks;

  ServiceChecks(Service service, Documents documents, Checks checks) {
    this.application = service.application();
    this.documents = documents;
    this.checks = checks;
  }

  /**
   * Checks refused requests.
   *
   * @param completed the id of a rule that has ended
   */
  void refusals(String completed, LocalDate day) throws IOException, InterruptedException {
    long rules = documents.count("recurring_rules", "{}");
    long events = documents.count("outbox", "{}");
    checks.isProblem(
        application.post("/recurring-rules", Service.body("bad", "CF1", "-1", day, day)),
        400,
        "amount",
        "a negative amount");
    checks.isProblem(application.post("/recurring-rules", "{"), 400, "body", "half a document");
    checks.isProblem(
        application.get("/recurring-rules/RR99999999"), 404, "ruleId", "an unknown rule");
    checks.isProblem(
        application.post("/recurring-rules/" + completed + "/pause", "{}"),
        409,
        "status",
        "a pause of an ended rule");
    checks.that(
        documents.count("recurring_rules", "{}") == rules
            && documents.count("outbox", "{}") == events,
        "and none of them was stored");
  }

  void numbers(Duration atMost) throws IOException, InterruptedException {
    long events = documents.count("outbox", "{}");
    checks.that(
        Await.until(() -> documents.unsent() == 0, atMost),
        "all %d events of the outbox are SENT".formatted(events));
    String counts = application.get("/outbox/counts").body();
    checks.that(
        counts.contains("\"PENDING\":0") && counts.contains("\"SENT\":" + events),
        "counts: " + counts);
    checks.that(
        application.get("/actuator/prometheus").body().contains("outbox_pending_events{"),
        "Prometheus has outbox.pending.events");
    checks.that(
        application.get("/actuator/health").body().contains("\"status\":\"UP\""), "health is UP");
    checks.that(
        application.log().contains("Successfully sent event RuleCreatedEvent for aggregate RR"),
        "the log has the line of the specification");
  }
}
