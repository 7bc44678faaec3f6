package io.postroad.example.market.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Load;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.example.kit.Received;
import io.postroad.example.kit.Rows;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Kills the application with SIGKILL while deals are created and entries are claimed, starts it
 * again, and compares database and topic: every stored change was published, and no other. For the
 * second part the database rolls back every tenth deal at its commit, and half of the requests that
 * the kill cut off are not repeated.
 */
final class CrashRun {
  private static final int BEFORE = 300;
  private static final int AFTER = 50;
  private static final int THREADS = 4;
  private static final int TRIES = 1_000;
  private static final int ERROR = 500;
  private static final Duration ARRIVES_WITHIN = Duration.ofMinutes(2);
  private static final Duration LAST_LOOK = Duration.ofSeconds(3);
  private static final String KEYS = "SELECT idempotency_key FROM outbox";

  /** Selects a key for each version of each stored deal. */
  private static final String VERSIONS =
      "SELECT id || ':' || v FROM deal, generate_series(1, version) v";

  /** Refuses every tenth deal at its commit, after deal and entry were written. */
  private static final String REFUSAL =
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'refused at its commit by --kill'; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.deal_id LIKE 'load-%9') EXECUTE FUNCTION refuse();
      """;

  private final PostgresAndKafka servers;
  private final Checks checks = new Checks();
  private final Set<String> rolledBack = ConcurrentHashMap.newKeySet();

  CrashRun(PostgresAndKafka servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException, SQLException {
    int port = Application.freePort();
    Load load;
    try (Market first = Market.start(servers, port);
        Rows rows = servers.rows()) {
      execute(REFUSAL);
      load = new Load(deal -> isFunded(first, deal), THREADS);
      load.awaitAnswers(BEFORE);
      freezeWithClaims(first.application(), rows);
      Narrator.say("Killing it with SIGKILL after %d deals.".formatted(load.answered().size()));
      first.application().kill();
      load.stop();
      checks.that(
          claimed(rows) > 0,
          "%d entries were PROCESSING then, %d PENDING"
              .formatted(claimed(rows), rows.count("outbox WHERE status = 'PENDING'")));
      checks.that(
          !rolledBack.isEmpty(), rolledBack.size() + " deals were rolled back at their commit");
      execute("DROP FUNCTION refuse() CASCADE");
    }
    Set<String> again = everyOther(load.unanswered());
    try (Market second = Market.start(servers, port);
        Received received = servers.received();
        Rows rows = servers.rows()) {
      resend(second, again);
      goOn(second);
      stored(rows, load, again);
      Set<String> changes = rows.strings(VERSIONS);
      MarketChecks holding = new MarketChecks(second, rows, checks);
      holding.refusals("after-0");
      holding.numbers(changes.size(), ARRIVES_WITHIN);
      told(received, changes);
      return checks.result(
          "no change was lost, and no event was published without its change.",
          second.application().log());
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(servers.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Creates and funds a deal. */
  private boolean isFunded(Market market, String deal) throws IOException, InterruptedException {
    int created = market.create(deal).statusCode();
    if (created == ERROR) {
      rolledBack.add(deal);
    }
    return created == 201 && market.fund(deal).statusCode() == 200;
  }

  private static Set<String> everyOther(Set<String> deals) {
    List<String> sorted = deals.stream().sorted().toList();
    return IntStream.range(0, sorted.size())
        .filter(i -> i % 2 == 0)
        .mapToObj(sorted::get)
        .collect(Collectors.toSet());
  }

  /**
   * Freezes the application while it has claimed entries, so that they are still claimed when it is
   * killed.
   */
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
   * Repeats unanswered requests, as a client would, and checks the stored deals, because a refusal
   * alone does not prove that a change was made.
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
        "%d requests without an answer were repeated, and their deals are FUNDED"
            .formatted(unanswered.size()));
  }

  private void goOn(Market market) throws IOException, InterruptedException {
    int done = 0;
    for (int i = 0; i < AFTER; i++) {
      String deal = "after-" + i;
      done += isFunded(market, deal) && market.complete(deal).statusCode() == 200 ? 1 : 0;
    }
    checks.that(done == AFTER, "the application works after the restart");
  }

  /**
   * Checks the stored deals. A deal without an answer that was not repeated may exist, in part or
   * not at all.
   */
  private void stored(Rows rows, Load load, Set<String> again) throws SQLException {
    Set<String> wanted = new TreeSet<>(load.answered());
    wanted.addAll(again);
    Set<String> possible = new TreeSet<>(wanted);
    possible.addAll(load.unanswered());
    checks.that(
        rows.strings("SELECT id FROM deal WHERE status = 'FUNDED'").containsAll(wanted)
            && rows.count("deal WHERE status = 'COMPLETED'") == AFTER,
        "every deal that was answered or repeated is stored as requested");
    checks.that(
        possible.containsAll(rows.strings("SELECT id FROM deal WHERE status <> 'COMPLETED'")),
        "no deal that was rolled back is stored");
    Set<String> changes = rows.strings(VERSIONS);
    checks.that(
        changes.equals(rows.strings(KEYS)) && rows.count("outbox") == changes.size(),
        "each of their %d changes has one entry in the outbox".formatted(changes.size()));
  }

  /**
   * Checks the topic. All entries are delivered by now, so a last read finds late and wrong events.
   */
  private void told(Received received, Set<String> changes) {
    received.await(all -> keys(all).containsAll(changes), ARRIVES_WITHIN);
    List<ConsumerRecord<String, String>> events = received.await(all -> false, LAST_LOOK);
    checks.that(
        keys(events).equals(changes),
        "%d changes, %d published to Kafka in %d events; none was rolled back"
            .formatted(changes.size(), keys(events).size(), events.size()));
  }

  private static Set<String> keys(List<ConsumerRecord<String, String>> events) {
    return events.stream()
        .map(event -> Received.header(event, "idempotency-key"))
        .collect(Collectors.toSet());
  }
}
