package io.postroad.example.rules.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Received;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Tries the main path over HTTP: creates rules once, executes them once per date, also after the
 * cash flow service was unavailable, and finds all events in Kafka. Its rules have a new cash flow,
 * so that it can run twice with one database.
 */
final class SmokeRun {
  private static final int RULES = 5;
  private static final int DAYS = 3;
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(60);

  private final Servers servers;
  private final Duration arrivesWithin;
  private final String run = UUID.randomUUID().toString();
  private final String cashFlow = "CF" + System.nanoTime();
  private final LocalDate last = LocalDate.now(ZoneOffset.UTC);
  private final Checks checks = new Checks();
  private final List<String> rules = new ArrayList<>();

  SmokeRun(Servers servers) {
    this(servers, ARRIVES_WITHIN);
  }

  SmokeRun(Servers servers, Duration arrivesWithin) {
    this.servers = servers;
    this.arrivesWithin = arrivesWithin;
  }

  boolean holds() throws IOException, InterruptedException {
    try (Service service = Service.start(servers, Application.freePort())) {
      return holds(service);
    }
  }

  boolean holds(Service service) throws IOException, InterruptedException {
    try (Received received = servers.received();
        Documents documents = servers.documents()) {
      create(service);
      fail(service, documents);
      recover(service, documents);
      told(received);
      ServiceChecks told = new ServiceChecks(service, documents, checks);
      told.refusals(rules.get(0), last);
      told.numbers(arrivesWithin);
      return checks.result(
          "every rule was executed and published once.", service.application().log());
    }
  }

  private void create(Service service) throws IOException, InterruptedException {
    int created = 0;
    int repeated = 0;
    for (int i = 0; i < RULES; i++) {
      HttpResponse<String> first = ask(service, i);
      HttpResponse<String> second = ask(service, i);
      rules.add(Service.ruleId(first));
      created += first.statusCode() == 201 ? 1 : 0;
      repeated += second.statusCode() == 200 && Service.ruleId(second).equals(rules.get(i)) ? 1 : 0;
    }
    checks.that(created == RULES, created + " rules created over HTTP");
    checks.that(repeated == RULES, "and a repeated request returned the same rule");
    HttpResponse<String> change =
        service
            .application()
            .post(
                "/recurring-rules/" + rules.get(0) + "/amount-changes",
                "{\"effectiveDate\":\"%s\",\"type\":\"ONE_TIME\",".formatted(last)
                    + "\"newAmount\":{\"amount\":99,\"currency\":\"PLN\"}}");
    checks.that(change.statusCode() == 201, "one has another amount on its last day");
  }

  private HttpResponse<String> ask(Service service, int i)
      throws IOException, InterruptedException {
    return service.create(run + "-" + i, cashFlow, last.minusDays(DAYS - 1), last);
  }

  private void fail(Service service, Documents documents) throws IOException, InterruptedException {
    available(service, false);
    HttpResponse<String> answer = service.run(last);
    available(service, true);
    checks.that(
        answer.statusCode() == 200 && generated(documents) == 0,
        "without the cash flow service no date is executed: " + answer.body());
    String rule = service.application().get("/recurring-rules/" + rules.get(0)).body();
    checks.that(
        rule.contains("\"status\":\"FAILED\"") && rule.contains("CashFlow service unavailable"),
        "and the failures are recorded");
  }

  private void recover(Service service, Documents documents)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        service.application().post("/executions/recovery", "{\"hoursBack\":24}");
    checks.that(
        generated(documents) == RULES * DAYS, "the recovery executes them: " + answer.body());
    HttpResponse<String> again = service.run(last);
    checks.that(
        again.statusCode() == 200 && generated(documents) == RULES * DAYS,
        "another run generates nothing");
    checks.that(
        documents.count(
                "cash_changes",
                "{cashFlowId: '%s', 'amount.amount': NumberDecimal('99.00')}".formatted(cashFlow))
            == 1,
        "the other amount was used once");
    checks.that(
        documents.count(
                "recurring_rules", "{cashFlowId: '%s', status: 'COMPLETED'}".formatted(cashFlow))
            == RULES,
        "all %d rules are COMPLETED".formatted(RULES));
  }

  private static void available(Service service, boolean now)
      throws IOException, InterruptedException {
    HttpResponse<String> unused =
        service
            .application()
            .send("PUT", "/cash-flow-service", "{\"available\":%s}".formatted(now));
  }

  private long generated(Documents documents) {
    return documents.count("cash_changes", "{cashFlowId: '%s'}".formatted(cashFlow));
  }

  private void told(Received received) {
    // Created, failed and executed on each day, completed; and one amount change.
    int wanted = RULES * (1 + DAYS + DAYS + 1) + 1;
    List<ConsumerRecord<String, String>> events =
        ofThisRun(received.await(all -> ofThisRun(all).size() >= wanted, arrivesWithin));
    checks.that(events.size() == wanted, "%d events in %s".formatted(events.size(), Servers.TOPIC));
    checks.that(
        count(events, "RuleCreatedEvent") == RULES
            && count(events, "RuleExecutionFailedEvent") == RULES * DAYS
            && count(events, "RuleExecutedEvent") == RULES * DAYS
            && count(events, "RuleCompletedEvent") == RULES,
        "each of its kind, under the key of its rule");
  }

  private List<ConsumerRecord<String, String>> ofThisRun(
      List<ConsumerRecord<String, String>> events) {
    return events.stream().filter(event -> rules.contains(event.key())).toList();
  }

  private static long count(List<ConsumerRecord<String, String>> events, String type) {
    return events.stream()
        .filter(event -> Received.header(event, "event-type").equals(type))
        .count();
  }
}
