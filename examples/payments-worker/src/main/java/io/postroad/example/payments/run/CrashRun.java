package io.postroad.example.payments.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Load;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Rows;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Kills the application by SIGKILL while payments are made and processes run, starts it again, and
 * compares: every payment that was asked for is made and told once, and the books are right.
 */
final class CrashRun {
  private static final int BEFORE = 60;
  private static final int AFTER = 10;
  private static final int THREADS = 4;
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(3);

  private final Servers servers;
  private final Checks checks = new Checks();
  private final List<UUID> accounts = new ArrayList<>();
  private final Set<UUID> asked = new HashSet<>();

  CrashRun(Servers servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException, SQLException, JMSException {
    int port = Application.freePort();
    Load load;
    try (Service first = Service.start(servers, port);
        Rows rows = servers.rows()) {
      for (int i = 0; i < THREADS; i++) {
        accounts.add(first.account(new BigDecimal(100_000), ENDS_WITHIN));
      }
      load = new Load(name -> pay(first, name) == 202, THREADS);
      load.awaitAnswers(BEFORE);
      Narrator.say("Killing it with SIGKILL after %d answers.".formatted(load.answered().size()));
      first.application().kill();
      load.stop();
      long running = rows.count("process_instance WHERE status = 'RUNNING'");
      checks.that(running > 0, running + " payments were half done then");
    }
    load.answered().forEach(name -> asked.add(payment(name)));
    try (Service second = Service.start(servers, port);
        Told told = new Told(servers);
        Rows rows = servers.rows()) {
      resend(second, load.unanswered());
      goOn(second);
      compare(rows, told);
      ServiceChecks state = new ServiceChecks(second, rows, checks);
      state.books();
      state.refusals(accounts.get(0), payment("after-0"));
      state.numbers(ENDS_WITHIN);
      return checks.verdict(
          "nothing was lost, and nothing was done twice.", second.application().log());
    }
  }

  private int pay(Service service, String name) throws IOException, InterruptedException {
    UUID account = accounts.get(Math.floorMod(name.hashCode(), THREADS));
    return service.pay(payment(name), account, BigDecimal.ONE, BigDecimal.ONE, "USD").statusCode();
  }

  private static UUID payment(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(UTF_8));
  }

  /** Nobody knows whether they were started: as a client would, ask once more. */
  private void resend(Service service, Set<String> unanswered)
      throws IOException, InterruptedException {
    int started = 0;
    int known = 0;
    for (String name : unanswered) {
      asked.add(payment(name));
      int code = pay(service, name);
      started += code == 202 ? 1 : 0;
      known += code == 409 ? 1 : 0;
    }
    checks.that(
        started + known == unanswered.size(),
        "%d without an answer were sent again: %d began now (202), %d had begun (409)"
            .formatted(unanswered.size(), started, known));
  }

  private void goOn(Service service) throws IOException, InterruptedException {
    int accepted = 0;
    for (int i = 0; i < AFTER; i++) {
      asked.add(payment("after-" + i));
      accepted += pay(service, "after-" + i) == 202 ? 1 : 0;
    }
    checks.that(accepted == AFTER, "it goes on after the restart");
  }

  private void compare(Rows rows, Told told)
      throws SQLException, InterruptedException, JMSException {
    checks.that(
        Await.<SQLException>until(
            () -> rows.count("process_instance WHERE status IN ('RUNNING', 'COMPENSATING')") == 0,
            ENDS_WITHIN),
        "every process came to its end");
    Set<UUID> made = new HashSet<>();
    rows.strings("SELECT payment_id FROM payment").forEach(id -> made.add(UUID.fromString(id)));
    checks.that(
        made.equals(asked),
        "%d payments were asked for and %d made, the same ones"
            .formatted(asked.size(), made.size()));
    checks.that(
        rows.count("transaction WHERE transaction_type = 'DEBIT'") == asked.size(),
        "each was debited once");
    Map<UUID, Set<String>> events = told.await(made, ENDS_WITHIN);
    checks.that(
        events.keySet().equals(made) && events.values().stream().allMatch(ids -> ids.size() == 1),
        "each was told to others by one event, which may come twice");
  }
}
