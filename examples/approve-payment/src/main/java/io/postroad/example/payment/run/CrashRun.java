package io.postroad.example.payment.run;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kills the application by SIGKILL while payments are approved, starts it again, and compares
 * database and topic: every payment that is stored was told, and none that is not.
 */
final class CrashRun {
  private static final int BEFORE = 300;
  private static final int AFTER = 100;
  private static final int THREADS = 4;
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(90);
  private static final Pattern PAYMENT = Pattern.compile("\"paymentId\":\"([^\"]+)\"");

  private final Servers servers;
  private final Checks checks = new Checks();
  private final Set<String> answered = ConcurrentHashMap.newKeySet();

  CrashRun(Servers servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException, SQLException {
    int port = Service.freePort();
    try (Service first = Service.start(servers, port);
        Rows rows = new Rows(servers)) {
      Load load = new Load(first, answered, THREADS);
      load.awaitAnswers(BEFORE);
      rows.awaitPending();
      Narrator.say("Killing it with SIGKILL after %d answers.".formatted(answered.size()));
      first.kill();
      load.stop();
      Narrator.say(
          "%d events were not known to be published then."
              .formatted(rows.count("outbox_event WHERE status = 'PENDING'")));
    }
    int before = answered.size();
    try (Service second = Service.start(servers, port);
        Received received = new Received(servers);
        Rows rows = new Rows(servers)) {
      for (int i = 0; i < AFTER; i++) {
        if (second.approve("after-" + i, "u-" + i % 5).statusCode() == 201) {
          answered.add("after-" + i);
        }
      }
      checks.that(answered.size() == before + AFTER, "it goes on after the restart");
      Set<String> stored = rows.strings("SELECT payment_id FROM payment");
      checks.that(stored.containsAll(answered), "every payment that was answered is stored");
      checks.that(
          stored.equals(rows.strings("SELECT aggregate_id FROM outbox_event")),
          "every stored payment has its event in the outbox, and no other is there");
      Set<String> told = new HashSet<>();
      var unused =
          received.await(
              all -> {
                all.forEach(event -> told.add(payment(event.value())));
                return told.containsAll(stored);
              },
              ARRIVES_WITHIN);
      checks.that(
          told.equals(stored), "%d stored, %d told in Kafka".formatted(stored.size(), told.size()));
      checks.that(
          rows.awaitPublished(stored.size(), ARRIVES_WITHIN),
          "all events are PUBLISHED at the end");
      return checks.verdict("nothing was lost, and nothing was told that is not.", second.log());
    }
  }

  private static String payment(String event) {
    Matcher matcher = PAYMENT.matcher(event);
    return matcher.find() ? matcher.group(1) : "?";
  }
}
