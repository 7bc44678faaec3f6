package io.postroad.example.wiki.web;

import io.postroad.message.PostroadException;

/** Answers health checks and metrics. */
final class HealthApi {
  private final Json json;
  private final Operations operations;

  HealthApi(Json json, Operations operations) {
    this.json = json;
    this.operations = operations;
  }

  void addTo(Router router) {
    router.on("GET", "/health", request -> health()).on("GET", "/metrics", request -> metrics());
  }

  private Reply health() {
    boolean works = operations.workers().isRunning() && databaseAnswers();
    return json.reply(
        works ? 200 : 503,
        Json.object(
            "status", works ? "UP" : "DOWN",
            "workers", operations.workers().isRunning(),
            "transactions", operations.store().transactionMode().name()));
  }

  private boolean databaseAnswers() {
    try {
      var unused = operations.store().now();
      return true;
    } catch (PostroadException away) {
      return false;
    }
  }

  /** Returns the meters in the format of Prometheus. */
  private Reply metrics() {
    return Reply.of(200, "text/plain; version=0.0.4", operations.registry().scrape());
  }
}
