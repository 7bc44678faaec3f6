package io.postroad.example.rules.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Load;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Received;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.bson.Document;

/**
 * Kills the application with SIGKILL while rules are created and executed and events wait, starts
 * it again, and compares: each rule is stored once, executed once per date, and published.
 */
final class CrashRun {
  private static final int BEFORE = 100;
  private static final int AFTER = 20;
  private static final int THREADS = 4;
  private static final int DAYS = 3;
  private static final int TRIES = 1_000;
  private static final String CASH_FLOW = "CF10000001";
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(90);

  /** The load thread that starts runs; the others create rules. */
  private static final String RUNNER = "load-0-";

  private final Servers servers;
  private final LocalDate last = LocalDate.now(ZoneOffset.UTC);
  private final Checks checks = new Checks();
  private final Set<String> asked = new HashSet<>();
  private final Set<String> unanswered = new HashSet<>();

  CrashRun(Servers servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException {
    int port = Application.freePort();
    try (Service first = Service.start(servers, port);
        Documents documents = servers.documents()) {
      Load load = new Load(name -> ask(first, name).statusCode() / 100 == 2, THREADS);
      load.awaitAnswers(BEFORE);
      freezeAtWork(first.application(), documents);
      Narrator.say("Killing it with SIGKILL after %d answers.".formatted(load.answered().size()));
      first.application().kill();
      load.stop();
      remember(load);
      checks.that(
          documents.unsent() > 0, documents.unsent() + " events were not known to be sent then");
      checks.that(
          unexecuted(documents) > 0,
          "%d rules were not executed then, of %d"
              .formatted(unexecuted(documents), documents.count("recurring_rules", "{}")));
    }
    try (Service second = Service.start(servers, port);
        Received received = servers.received();
        Documents documents = servers.documents()) {
      resend(second);
      goOn(second);
      checks.that(executeRest(second, documents), "the application executes the remaining dates");
      stored(documents);
      told(received, documents);
      ServiceChecks service = new ServiceChecks(second, documents, checks);
      service.refusals(documents.find("recurring_rules", "{}").get(0).getString("_id"), last);
      service.numbers(ARRIVES_WITHIN);
      return checks.result(
          "no rule was lost, and no date was executed twice.", second.application().log());
    }
  }

  private HttpResponse<String> ask(Service service, String name)
      throws IOException, InterruptedException {
    return name.startsWith(RUNNER)
        ? service.run(last)
        : service.create(name, CASH_FLOW, last.minusDays(DAYS - 1), last);
  }

  private void remember(Load load) {
    asked.addAll(load.answered());
    asked.addAll(load.unanswered());
    unanswered.addAll(load.unanswered());
    asked.removeIf(name -> name.startsWith(RUNNER));
    unanswered.removeIf(name -> name.startsWith(RUNNER));
  }

  /** Freezes the application while it has work, so that the work is open when it is killed. */
  private static void freezeAtWork(Application application, Documents documents) {
    for (int i = 1; ; i++) {
      application.freeze();
      if ((documents.unsent() > 0 && unexecuted(documents) > 0) || i == TRIES) {
        return;
      }
      application.unfreeze();
    }
  }

  private static long unexecuted(Documents documents) {
    return documents.count("recurring_rules", "{status: 'ACTIVE'}");
  }

  /** Repeats unanswered requests, as a client would. */
  private void resend(Service service) throws IOException, InterruptedException {
    int created = 0;
    int existed = 0;
    for (String name : unanswered) {
      int code = ask(service, name).statusCode();
      created += code == 201 ? 1 : 0;
      existed += code == 200 ? 1 : 0;
    }
    checks.that(
        created + existed == unanswered.size(),
        "%d requests without an answer were repeated: %d were created now (201), %d earlier (200)"
            .formatted(unanswered.size(), created, existed));
  }

  private void goOn(Service service) throws IOException, InterruptedException {
    int created = 0;
    for (int i = 0; i < AFTER; i++) {
      asked.add("after-" + i);
      created += ask(service, "after-" + i).statusCode() == 201 ? 1 : 0;
    }
    checks.that(created == AFTER, "the application works after the restart");
  }

  /**
   * Executes the rest. On a slow machine a run may take longer than the wait for its answer, and
   * continues.
   */
  private boolean executeRest(Service service, Documents documents)
      throws IOException, InterruptedException {
    try {
      HttpResponse<String> unused = service.run(last);
    } catch (HttpTimeoutException goesOn) {
      Narrator.say("The run continues without an answer.");
    }
    return Await.until(() -> unexecuted(documents) == 0, ARRIVES_WITHIN);
  }

  private void stored(Documents documents) {
    List<Document> rules = documents.find("recurring_rules", "{}");
    Set<String> names =
        rules.stream().map(rule -> rule.getString("name")).collect(Collectors.toSet());
    checks.that(
        rules.size() == asked.size() && names.equals(asked),
        "every requested rule is stored once, and no other: " + rules.size());
    checks.that(
        rules.stream().allMatch(rule -> rule.getString("status").equals("COMPLETED")),
        "all of them are COMPLETED");
    Set<String> noted =
        rules.stream()
            .flatMap(rule -> rule.get("executions", Document.class).values().stream())
            .map(execution -> ((Document) execution).getString("generatedCashChangeId"))
            .collect(Collectors.toSet());
    Set<String> generated =
        documents.find("cash_changes", "{}").stream()
            .map(change -> change.getString("_id"))
            .collect(Collectors.toSet());
    checks.that(
        generated.size() == rules.size() * DAYS && generated.equals(noted),
        "%d cash changes for %d days of %d rules, and each is recorded"
            .formatted(generated.size(), DAYS, rules.size()));
    checks.that(
        documents.count("outbox", "{eventType: 'RuleCreatedEvent'}") == rules.size()
            && documents.count("outbox", "{eventType: 'RuleExecutedEvent'}") == generated.size()
            && documents.count("outbox", "{eventType: 'RuleCompletedEvent'}") == rules.size(),
        "each creation, execution and completion has one event");
  }

  private void told(Received received, Documents documents) {
    Set<String> stored =
        documents.find("outbox", "{}").stream()
            .map(event -> String.valueOf(event.get("_id")))
            .collect(Collectors.toSet());
    List<ConsumerRecord<String, String>> events =
        received.await(all -> ids(all).size() >= stored.size(), ARRIVES_WITHIN);
    checks.that(
        ids(events).size() == stored.size(),
        "%d events stored, %d published to Kafka, in %d records"
            .formatted(stored.size(), ids(events).size(), events.size()));
  }

  private static Set<String> ids(List<ConsumerRecord<String, String>> events) {
    return events.stream()
        .map(event -> Received.header(event, "event-id"))
        .collect(Collectors.toSet());
  }
}
