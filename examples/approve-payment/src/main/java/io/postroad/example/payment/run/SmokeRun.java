package io.postroad.example.payment.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.example.kit.Received;
import io.postroad.example.kit.Rows;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Tries the main path over HTTP: approves payments, finds their events in Kafka, and checks error
 * answers. Its payments have new ids, so that it can run twice with one database.
 */
final class SmokeRun {
  private static final int PAYMENTS = 20;
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(60);

  private final PostgresAndKafka servers;
  private final Duration arrivesWithin;
  private final String run = UUID.randomUUID().toString().substring(0, 8) + "-";
  private final Checks checks = new Checks();

  SmokeRun(PostgresAndKafka servers) {
    this(servers, ARRIVES_WITHIN);
  }

  SmokeRun(PostgresAndKafka servers, Duration arrivesWithin) {
    this.servers = servers;
    this.arrivesWithin = arrivesWithin;
  }

  boolean holds() throws IOException, InterruptedException, SQLException {
    try (Service service = Service.start(servers, Application.freePort())) {
      return holds(service);
    }
  }

  boolean holds(Service service) throws IOException, InterruptedException, SQLException {
    try (Received received = servers.received();
        Rows rows = servers.rows()) {
      long before = rows.count("outbox_event");
      approve(service);
      checks.that(
          rows.count("outbox_event") == before + PAYMENTS, "each has an event in the outbox");
      events(received);
      ServiceChecks told = new ServiceChecks(service, rows, checks);
      told.refusals(run + 0);
      told.numbers(before + PAYMENTS, arrivesWithin);
      return checks.result(
          "every payment was approved and published once.", service.application().log());
    }
  }

  private void approve(Service service) throws IOException, InterruptedException {
    int created = 0;
    for (int i = 0; i < PAYMENTS; i++) {
      created += service.approve(run + i, "u-" + i % 3).statusCode() == 201 ? 1 : 0;
    }
    checks.that(created == PAYMENTS, created + " payments approved over HTTP");
  }

  private void events(Received received) {
    List<ConsumerRecord<String, String>> events =
        ofThisRun(received.await(all -> ofThisRun(all).size() >= PAYMENTS, arrivesWithin));
    checks.that(events.size() == PAYMENTS, events.size() + " events in " + servers.topic());
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
                                    && event.value().contains(field(run + i)))),
        "each payment is there, under the key of its user");
  }

  private List<ConsumerRecord<String, String>> ofThisRun(
      List<ConsumerRecord<String, String>> events) {
    return events.stream()
        .filter(event -> event.value().contains("\"paymentId\":\"" + run))
        .toList();
  }

  private static String field(String paymentId) {
    return "\"paymentId\":\"" + paymentId + "\"";
  }
}
