package io.postroad.example.wiki.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import java.io.IOException;
import java.time.Duration;

/** Checks that hold at any time. Used by one thread. */
final class ServiceChecks {
  private final Service service;
  private final Application application;
  private final Stored stored;
  private final Checks checks;

  ServiceChecks(Service service, Stored stored, Checks checks) {
    this.service = service;
    this.application = service.application();
    this.stored = stored;
    this.checks = checks;
  }

  /**
   * Checks refused requests.
   *
   * @param page the name of an existing page
   */
  void refusals(String page) throws IOException, InterruptedException {
    long revisions = stored.count("page_revisions");
    long events = stored.count("outbox");
    checks.isProblem(service.save("Upper", 0, "text"), 400, "page_id", "a page called Upper");
    checks.isProblem(
        service.save(page, 0, "text"), 409, "base_revision", "an edit of an old revision");
    checks.isProblem(
        application.get("/api/pages/nobody-wrote-it"), 404, "page_id", "a missing page");
    checks.that(
        stored.count("page_revisions") == revisions && stored.count("outbox") == events,
        "and none of them was stored");
  }

  /** Checks that all events are handled in time, and the counts. */
  void numbers(Duration atMost) throws IOException, InterruptedException {
    boolean handled = Await.until(() -> stored.open() == 0, atMost);
    checks.that(
        handled && stored.dead() == 0,
        "all events are done: %d open, %d dead".formatted(stored.open(), stored.dead()));
    checks.that(stored.doneButLeased() == 0, "no handled event has a lease");
    String counts = application.get("/api/outbox/counts").body();
    checks.that(
        counts.contains("\"new\":0,\"processing\":0,") && counts.contains("\"dead\":0"),
        "counts: " + counts);
    String scrape = application.get("/metrics").body();
    checks.that(
        scrape.contains("outbox_new_total{")
            && scrape.contains("outbox_done_total{")
            && scrape.contains("outbox_lag_seconds{")
            && scrape.contains("processing_inflight{"),
        "Prometheus has outbox_new_total, outbox_done_total, outbox_lag_seconds,"
            + " processing_inflight");
    checks.that(application.get("/health").body().contains("\"status\":\"UP\""), "health is UP");
  }
}
