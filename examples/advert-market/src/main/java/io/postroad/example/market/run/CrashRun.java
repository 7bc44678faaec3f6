package io.postroad.example.market.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Load;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Received;
import io.postroad.example.kit.Rows;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Kills the application by SIGKILL while deals are made and entries are claimed, starts it again,
 * and compares database and topic: every change that is stored was told, and none that is not.
 */
final class CrashRun {
  private static final int BEFORE = 300;
  private static final int AFTER = 50;
  private static final int THREADS = 4;
  private static final int TRIES = 1_000;
  private static final Duration ARRIVES_WITHIN = Duration.ofMinutes(2);
  private static final String KEYS = "SELECT idempotency_key FROM outbox";

  /** A key for each version of each deal that is stored. */
  private static final String VERSIONS =
      "SELECT id || ':' || v FROM deal, generate_series(1, version) v";

  private final Servers servers;
  private final Checks checks = new Checks();

  CrashRun(Servers servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException, SQLException {
    int port = Application.freePort();
    Load load;
    try (Market first = Market.start(servers, port);
        Rows rows = servers.rows()) {
      load = new Load(deal -> isMade(first, deal), THREADS);
      load.awaitAnswers(BEFORE);
      freezeWithClaims(first.application(), rows);
      Narrator.say("Killing it with SIGKILL after %d deals.".formatted(load.answered().size()));
      first.application().kill();
      load.stop();
      checks.that(
          claimed(rows) > 0,
          "%d entries were PROCESSING then, %d PENDING"
              .formatted(claimed(rows), rows.count("outbox WHERE status = 'PENDING'")));
    }
    try (Market second = Market.start(servers, port);
        Received received = servers.received();
        Rows rows = servers.rows()) {
      resend(second, load.unanswered());
      goOn(second);
      stored(rows, load);
      Set<String> changes = rows.strings(VERSIONS);
      told(received, changes);
      MarketChecks holding = new MarketChecks(second, rows, checks);
      holding.refusals("after-0");
      holding.numbers(changes.size(), ARRIVES_WITHIN);
      return checks.verdict(
          "nothing was lost, and nothing was told that is not.", second.application().log());
    }
  }

  /** Created and funded. */
  private static boolean isMade(Market market, String deal)
      throws IOException, InterruptedException {
    return market.create(deal).statusCode() == 201 && market.fund(deal).statusCode() == 200;
  }

  /** Standing still, it settles nothing more: what is claimed now is when it is killed. */
  private static void freezeWithClaims(Application application, Rows rows) throws SQLException {
    for (int i = 1; ; i++) {
      application.freeze();
      if (claimed(rows) > 0 || i == TRIES) {
        return;
      }
      application.unfreeze();
    }
  }

  private static long claimed(Rows rows) throws SQLException {
    return rows.count("outbox WHERE status = 'PROCESSING'");
  }

  /**
   * Nobody knows how far they came: as a client would, ask for both once more, and look at what is,
   * because a refusal alone does not say that it was done.
   */
  private void resend(Market market, Set<String> unanswered)
      throws IOException, InterruptedException {
    int funded = 0;
    for (String deal : unanswered) {
      market.create(deal);
      market.fund(deal);
      String now = market.application().get("/deals/" + deal).body();
      funded += now.contains("\"status\":\"FUNDED\"") ? 1 : 0;
    }
    checks.that(
        funded == unanswered.size(),
        "%d without an answer were asked for again, and are FUNDED".formatted(unanswered.size()));
  }

  private void goOn(Market market) throws IOException, InterruptedException {
    int done = 0;
    for (int i = 0; i < AFTER; i++) {
      String deal = "after-" + i;
      done += isMade(market, deal) && market.complete(deal).statusCode() == 200 ? 1 : 0;
    }
    checks.that(done == AFTER, "it goes on after the restart");
  }

  private void stored(Rows rows, Load load) throws SQLException {
    Set<String> asked = new TreeSet<>(load.answered());
    asked.addAll(load.unanswered());
    checks.that(
        asked.equals(rows.strings("SELECT id FROM deal WHERE status = 'FUNDED'"))
            && rows.count("deal WHERE status = 'COMPLETED'") == AFTER
            && rows.count("deal") == asked.size() + AFTER,
        "every deal that was asked for is stored as it was asked for, and no other is");
    Set<String> changes = rows.strings(VERSIONS);
    checks.that(
        changes.equals(rows.strings(KEYS)) && rows.count("outbox") == changes.size(),
        "each of their %d changes has one entry in the outbox".formatted(changes.size()));
  }

  private void told(Received received, Set<String> changes) {
    List<ConsumerRecord<String, String>> events =
        received.await(all -> keys(all).containsAll(changes), ARRIVES_WITHIN);
    checks.that(
        keys(events).equals(changes),
        "%d changes, %d told in Kafka, by %d events"
            .formatted(changes.size(), keys(events).size(), events.size()));
  }

  private static Set<String> keys(List<ConsumerRecord<String, String>> events) {
    return events.stream()
        .map(event -> Received.header(event, "idempotency-key"))
        .collect(Collectors.toSet());
  }
}
