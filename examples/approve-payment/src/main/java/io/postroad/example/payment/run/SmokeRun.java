package io.postroad.example.payment.run;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The main path through HTTP: payments are approved, their events are in Kafka, errors are told.
 */
final class SmokeRun {
  private static final int PAYMENTS = 20;
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(60);

  private final Servers servers;
  private final Checks checks = new Checks();

  SmokeRun(Servers servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException, SQLException {
    try (Service service = Service.start(servers, Service.freePort());
        Received received = new Received(servers);
        Rows rows = new Rows(servers)) {
      approve(service);
      events(received);
      refusals(service, rows);
      numbers(service, rows);
      return checks.verdict("every payment was approved and told once.", service.log());
    }
  }

  private void approve(Service service) throws IOException, InterruptedException {
    int created = 0;
    for (int i = 0; i < PAYMENTS; i++) {
      created += service.approve("p-" + i, "u-" + i % 3).statusCode() == 201 ? 1 : 0;
    }
    checks.that(created == PAYMENTS, created + " payments approved over HTTP");
  }

  private void events(Received received) {
    List<ConsumerRecord<String, String>> events =
        received.await(all -> all.size() >= PAYMENTS, ARRIVES_WITHIN);
    checks.that(events.size() == PAYMENTS, events.size() + " events in " + Servers.TOPIC);
    checks.that(
        events.stream()
            .allMatch(event -> Received.header(event, "event-type").equals("PAYMENT_APPROVED")),
        "each has the header event-type");
    Set<String> ids =
        events.stream()
            .map(event -> Received.header(event, "event-id"))
            .collect(Collectors.toSet());
    checks.that(ids.size() == PAYMENTS && !ids.contains(""), "each has an event-id of its own");
    checks.that(
        IntStream.range(0, PAYMENTS)
            .allMatch(
                i ->
                    events.stream()
                        .anyMatch(
                            event ->
                                event.key().equals("u-" + i % 3)
                                    && event.value().contains("\"paymentId\":\"p-" + i + "\""))),
        "each payment is there, under the key of its user");
  }

  private void refusals(Service service, Rows rows)
      throws IOException, InterruptedException, SQLException {
    long before = rows.count("payment");
    HttpResponse<String> negative =
        service.post(
            "/payments/approve",
            "{\"paymentId\":\"bad\",\"userId\":\"u\",\"amount\":-1,\"currency\":\"BRL\"}");
    checks.that(
        negative.statusCode() == 400
            && negative.headers().firstValue("Content-Type").orElse("").contains("problem+json")
            && negative.body().contains("\"field\":\"amount\"")
            && negative.body().contains("\"reason\":"),
        "a negative amount is 400 with field and reason");
    checks.that(service.approve("p-0", "u-0").statusCode() == 409, "a second approval is 409");
    checks.that(
        rows.count("payment") == before && rows.count("outbox_event") == PAYMENTS,
        "and nothing was stored for either");
  }

  private void numbers(Service service, Rows rows)
      throws IOException, InterruptedException, SQLException {
    checks.that(
        rows.awaitPublished(PAYMENTS, ARRIVES_WITHIN), "all rows of outbox_event are PUBLISHED");
    String counts = service.get("/outbox/counts").body();
    checks.that(
        counts.contains("\"PUBLISHED\":" + PAYMENTS) && counts.contains("\"FAILED\":0"),
        "counts: " + counts);
    String scrape = service.get("/actuator/prometheus").body();
    checks.that(
        scrape.contains("outbox_pending_events{") && scrape.contains("outbox_failed_events_total"),
        "Prometheus has outbox.pending.events and outbox.failed.events");
    checks.that(service.get("/actuator/health").body().contains("UP"), "health is UP");
    checks.that(
        service.log().contains("Outbox event saved: id=")
            && service.log().contains("Event published to Kafka: id="),
        "the log has the lines of the specification");
  }
}
