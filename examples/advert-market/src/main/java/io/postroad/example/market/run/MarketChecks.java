package io.postroad.example.market.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Rows;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Checks that hold at any time. Used by one thread. */
final class MarketChecks {
  private static final List<String> METERS =
      List.of(
          "outbox_poll_count_total",
          "outbox_poll_duration_seconds_count",
          "outbox_published_total",
          "outbox_records_failed_total");

  private final Market market;
  private final Application application;
  private final Rows rows;
  private final Checks checks;

  MarketChecks(Market market, Rows rows, Checks checks) {
    this.market = market;
    this.application = market.application();
    this.rows = rows;
    this.checks = checks;
  }

  /**
   * Checks refused requests.
   *
   * @param completed the id of a completed deal
   */
  void refusals(String completed) throws IOException, InterruptedException, SQLException {
    long deals = rows.count("deal");
    long entries = rows.count("outbox");
    checks.isProblem(
        application.post(
            "/deals",
            """
            {"dealId":"bad","advertiserId":"ada","channelId":"news","price":-1,"currency":"EUR"}
            """),
        400,
        "price",
        "a negative price");
    checks.isProblem(market.create(completed), 409, "dealId", "a second deal with the same id");
    checks.isProblem(market.cancel(completed), 409, "status", "cancelling a completed deal");
    checks.isProblem(market.complete("nobody"), 404, "dealId", "an unknown deal");
    checks.that(
        rows.count("deal") == deals && rows.count("outbox") == entries,
        "and none of them was stored");
  }

  /**
   * Checks the counts.
   *
   * @param entries the number of entries, all of which must be delivered in time
   */
  void numbers(long entries, Duration atMost)
      throws IOException, InterruptedException, SQLException {
    checks.that(
        Await.until(
            () ->
                rows.count("outbox WHERE status = 'DELIVERED'") == entries
                    && rows.count("outbox") == entries,
            atMost),
        "all %d rows of outbox are DELIVERED".formatted(entries));
    String counts = application.get("/outbox/counts").body();
    checks.that(
        counts.contains("\"PENDING\":0")
            && counts.contains("\"PROCESSING\":0")
            && counts.contains("\"DELIVERED\":" + entries)
            && counts.contains("\"FAILED\":0"),
        "counts: " + counts);
    String scrape = application.get("/actuator/prometheus").body();
    checks.that(
        METERS.stream().allMatch(scrape::contains), "Prometheus has " + String.join(", ", METERS));
    checks.that(
        application.get("/actuator/health").body().contains("\"status\":\"UP\""), "health is UP");
  }
}
