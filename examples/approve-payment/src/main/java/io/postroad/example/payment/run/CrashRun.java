package io.postroad.example.payment.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Load;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.example.kit.Received;
import io.postroad.example.kit.Rows;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Kills the application with SIGKILL while payments are approved and events wait, starts it again,
 * and compares database and topic: every stored payment was published, and no other.
 */
final class CrashRun {
  private static final int BEFORE = 300;
  private static final int AFTER = 100;
  private static final int THREADS = 4;
  private static final int TRIES = 1_000;
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(90);
  private static final Pattern PAYMENT = Pattern.compile("\"paymentId\":\"([^\"]+)\"");

  private final PostgresAndKafka servers;
  private final Checks checks = new Checks();
  private final Set<String> answered = new HashSet<>();
  private final Set<String> unanswered = new HashSet<>();

  CrashRun(PostgresAndKafka servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException, SQLException {
    int port = Application.freePort();
    try (Service first = Service.start(servers, port);
        Rows rows = servers.rows()) {
      Load load = new Load(name -> first.approve(name, "u-load").statusCode() == 201, THREADS);
      load.awaitAnswers(BEFORE);
      freezeWithPending(first.application(), new Outbox(rows));
      Narrator.say("Killing it with SIGKILL after %d answers.".formatted(load.answered().size()));
      first.application().kill();
      load.stop();
      answered.addAll(load.answered());
      unanswered.addAll(load.unanswered());
      long pending = new Outbox(rows).pending();
      checks.that(pending > 0, pending + " events were not known to be published then");
    }
    try (Service second = Service.start(servers, port);
        Received received = servers.received();
        Rows rows = servers.rows()) {
      resend(second);
      goOn(second);
      Set<String> stored = stored(rows);
      told(received, stored);
      ServiceChecks service = new ServiceChecks(second, rows, checks);
      service.refusals("after-0");
      service.numbers(stored.size(), ARRIVES_WITHIN);
      return checks.result(
          "no payment was lost, and no event was published without its payment.",
          second.application().log());
    }
  }

  /**
   * Freezes the application while events are pending, so that they are still pending when it is
   * killed.
   */
  private static void freezeWithPending(Application service, Outbox outbox) throws SQLException {
    for (int i = 1; ; i++) {
      service.freeze();
      if (outbox.pending() > 0 || i == TRIES) {
        return;
      }
      service.unfreeze();
    }
  }

  /** Repeats unanswered requests, as a client would. */
  private void resend(Service service) throws IOException, InterruptedException {
    int created = 0;
    int existed = 0;
    for (String payment : unanswered) {
      int code = service.approve(payment, "again").statusCode();
      created += code == 201 ? 1 : 0;
      existed += code == 409 ? 1 : 0;
    }
    checks.that(
        created + existed == unanswered.size(),
        "%d without an answer were sent again: %d were approved now (201), %d had been (409)"
            .formatted(unanswered.size(), created, existed));
  }

  private void goOn(Service service) throws IOException, InterruptedException {
    int created = 0;
    for (int i = 0; i < AFTER; i++) {
      if (service.approve("after-" + i, "u-" + i % 5).statusCode() == 201) {
        answered.add("after-" + i);
        created++;
      }
    }
    checks.that(created == AFTER, "the application works after the restart");
  }

  private Set<String> stored(Rows rows) throws SQLException {
    Set<String> stored = rows.strings("SELECT payment_id FROM payment");
    Set<String> asked = new HashSet<>(answered);
    asked.addAll(unanswered);
    checks.that(stored.equals(asked), "every requested payment is stored, and no other");
    checks.that(
        rows.count("outbox_event") == stored.size()
            && stored.equals(rows.strings("SELECT aggregate_id FROM outbox_event")),
        "each of the %d stored has one event in the outbox".formatted(stored.size()));
    return stored;
  }

  private void told(Received received, Set<String> stored) {
    List<ConsumerRecord<String, String>> events =
        received.await(all -> payments(all).containsAll(stored), ARRIVES_WITHIN);
    Set<String> ids =
        events.stream()
            .map(event -> Received.header(event, "event-id"))
            .collect(Collectors.toSet());
    checks.that(
        payments(events).equals(stored) && ids.size() == stored.size(),
        "%d stored, %d published to Kafka, in %d events of which %d are different"
            .formatted(stored.size(), payments(events).size(), events.size(), ids.size()));
  }

  private static Set<String> payments(List<ConsumerRecord<String, String>> events) {
    return events.stream().map(event -> payment(event.value())).collect(Collectors.toSet());
  }

  private static String payment(String event) {
    Matcher matcher = PAYMENT.matcher(event);
    return matcher.find() ? matcher.group(1) : "?";
  }
}
