package io.postroad.example.market.run;

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
 * Tries the main path over HTTP: creates, funds, completes and cancels deals, finds all changes in
 * Kafka, and checks error answers. Its deals have new ids, so that it can run twice with one
 * database.
 */
final class SmokeRun {
  private static final int DEALS = 10;
  private static final int ENTRIES = 3 * DEALS;
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
    try (Market market = Market.start(servers, Application.freePort())) {
      return holds(market);
    }
  }

  boolean holds(Market market) throws IOException, InterruptedException, SQLException {
    try (Received received = servers.received();
        Rows rows = servers.rows()) {
      long before = rows.count("outbox");
      long entries = before + ENTRIES;
      changes(market);
      checks.that(rows.count("outbox") == entries, "each change has an entry in the outbox");
      events(received);
      MarketChecks holding = new MarketChecks(market, rows, checks);
      holding.refusals(run + 0);
      holding.numbers(entries, arrivesWithin);
      return checks.result("every change was made and published.", market.application().log());
    }
  }

  /** Changes the deals; every other deal is cancelled in the end. */
  private void changes(Market market) throws IOException, InterruptedException {
    int done = 0;
    for (int i = 0; i < DEALS; i++) {
      String deal = run + i;
      done += market.create(deal).statusCode() == 201 ? 1 : 0;
      done += market.fund(deal).statusCode() == 200 ? 1 : 0;
      done +=
          (isCancelled(i) ? market.cancel(deal) : market.complete(deal)).statusCode() == 200
              ? 1
              : 0;
    }
    checks.that(done == ENTRIES, done + " changes of %d deals over HTTP".formatted(DEALS));
  }

  private static boolean isCancelled(int deal) {
    return deal % 2 == 1;
  }

  /** Checks the events. Each is published at least once: a slow broker may get an event twice. */
  private void events(Received received) {
    List<ConsumerRecord<String, String>> events =
        ofThisRun(received.await(all -> keys(ofThisRun(all)).size() >= ENTRIES, arrivesWithin));
    checks.that(
        keys(events).size() == ENTRIES,
        "%d idempotency keys in %s, in %d events"
            .formatted(keys(events).size(), servers.topic(), events.size()));
    checks.that(
        IntStream.range(0, DEALS).allMatch(i -> types(events, run + i).equals(expected(i))),
        "the events of each deal are there, under its key");
  }

  private static Set<String> keys(List<ConsumerRecord<String, String>> events) {
    return events.stream()
        .map(event -> Received.header(event, "idempotency-key"))
        .filter(key -> !key.isEmpty())
        .collect(Collectors.toSet());
  }

  private static Set<String> types(List<ConsumerRecord<String, String>> events, String deal) {
    return events.stream()
        .filter(event -> event.key().equals(deal))
        .map(event -> Received.header(event, "event-type"))
        .collect(Collectors.toSet());
  }

  private static Set<String> expected(int deal) {
    return Set.of(
        "DealCreated", "DealFunded", isCancelled(deal) ? "DealCancelled" : "DealCompleted");
  }

  private List<ConsumerRecord<String, String>> ofThisRun(
      List<ConsumerRecord<String, String>> events) {
    return events.stream().filter(event -> event.key().startsWith(run)).toList();
  }
}
