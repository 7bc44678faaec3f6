package io.postroad.example.payments.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Await;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Load;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Rows;
import io.postroad.example.payments.run.CrashPayment.Debtor;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Kills the application with SIGKILL while payments are made and undone, starts it again, and
 * compares: every possible payment is made and published once, every other one is undone, and the
 * balances are right.
 */
final class CrashRun {
  private static final int BEFORE = 60;
  private static final int AFTER = 10;
  private static final int THREADS = 4;
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(3);

  private final Servers servers;
  private final Checks checks = new Checks();
  private final Map<Debtor, UUID> accounts = new EnumMap<>(Debtor.class);
  private final Map<UUID, CrashPayment> asked = new HashMap<>();

  CrashRun(Servers servers) {
    this.servers = servers;
  }

  boolean holds() throws IOException, InterruptedException, SQLException, JMSException {
    int port = Application.freePort();
    Load load;
    try (Service first = Service.start(servers, port);
        Rows rows = servers.rows()) {
      accounts.put(Debtor.FUNDED, first.account(new BigDecimal(100_000), ENDS_WITHIN));
      accounts.put(Debtor.LIMITED, first.limitedAccount(new BigDecimal(100_000), ENDS_WITHIN));
      accounts.put(Debtor.POOR, first.account(new BigDecimal("0.5"), ENDS_WITHIN));
      rows.execute(CrashPayment.REFUSAL);
      load = new Load(name -> pay(first, name) == 202, THREADS);
      load.awaitAnswers(BEFORE);
      Narrator.say("Killing it with SIGKILL after %d answers.".formatted(load.answered().size()));
      first.application().kill();
      load.stop();
      long running = rows.count("process_instance WHERE status = 'RUNNING'");
      long undone = rows.count("process_instance WHERE status = 'COMPENSATING'");
      checks.that(
          running > 0,
          "%d payments were half done then, and %d half undone".formatted(running, undone));
    }
    load.answered().forEach(this::remember);
    try (Service second = Service.start(servers, port);
        PaymentEventReader told = new PaymentEventReader(servers);
        Rows rows = servers.rows()) {
      resend(second, load.unanswered());
      goOn(second);
      compare(rows, told);
      ServiceChecks state = new ServiceChecks(second, rows, checks);
      state.books();
      UUID made = askedFor(kind -> !kind.isUndone()).iterator().next();
      state.refusals(Objects.requireNonNull(accounts.get(Debtor.FUNDED)), made);
      state.numbers(ENDS_WITHIN);
      return checks.result(
          "no payment was lost, and none was made twice.", second.application().log());
    }
  }

  private int pay(Service service, String name) throws IOException, InterruptedException {
    CrashPayment kind = CrashPayment.of(name);
    UUID account = Objects.requireNonNull(accounts.get(kind.debtor()));
    return service
        .pay(payment(name), account, kind.debit(), kind.credit(), kind.currency())
        .statusCode();
  }

  private void remember(String name) {
    asked.put(payment(name), CrashPayment.of(name));
  }

  private static UUID payment(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(UTF_8));
  }

  /** Repeats unanswered requests, as a client would. */
  private void resend(Service service, Set<String> unanswered)
      throws IOException, InterruptedException {
    int started = 0;
    int known = 0;
    for (String name : unanswered) {
      remember(name);
      int code = pay(service, name);
      started += code == 202 ? 1 : 0;
      known += code == 409 ? 1 : 0;
    }
    checks.that(
        started + known == unanswered.size(),
        "%d requests without an answer were repeated: %d began now (202), %d had begun (409)"
            .formatted(unanswered.size(), started, known));
  }

  private void goOn(Service service) throws IOException, InterruptedException {
    int accepted = 0;
    for (int i = 0; i < AFTER; i++) {
      remember("after-" + i);
      accepted += pay(service, "after-" + i) == 202 ? 1 : 0;
    }
    checks.that(accepted == AFTER, "the application works after the restart");
  }

  private void compare(Rows rows, PaymentEventReader told)
      throws SQLException, InterruptedException, JMSException {
    checks.that(
        Await.<SQLException>until(
            () -> rows.count("process_instance WHERE status IN ('RUNNING', 'COMPENSATING')") == 0,
            ENDS_WITHIN),
        "every process has ended");
    Set<UUID> made = ids(rows, "SELECT payment_id FROM payment");
    checks.that(
        made.equals(askedFor(kind -> !kind.isUndone())),
        "%d payments were requested and %d made, all that are possible"
            .formatted(asked.size(), made.size()));
    Set<UUID> undone =
        ids(rows, "SELECT business_key FROM process_instance WHERE status = 'COMPENSATED'");
    checks.that(
        undone.equals(askedFor(CrashPayment::isUndone)),
        "%d were undone, all that are not possible".formatted(undone.size()));
    checks.that(
        rows.count("transaction WHERE transaction_type = 'DEBIT'")
            == made.size() + askedFor(kind -> kind == CrashPayment.REFUSED).size(),
        "each was debited once");
    Map<UUID, Set<String>> events = told.await(made, ENDS_WITHIN);
    checks.that(
        events.keySet().equals(made) && events.values().stream().allMatch(ids -> ids.size() == 1),
        "each was published in one event, which may arrive twice");
  }

  private static Set<UUID> ids(Rows rows, String query) throws SQLException {
    return rows.strings(query).stream().map(UUID::fromString).collect(Collectors.toSet());
  }

  private Set<UUID> askedFor(Predicate<CrashPayment> which) {
    return asked.entrySet().stream()
        .filter(each -> which.test(each.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
