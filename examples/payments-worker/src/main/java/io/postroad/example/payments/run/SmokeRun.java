package io.postroad.example.payments.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Checks;
import io.postroad.example.kit.Rows;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Tries the main path over HTTP: opens accounts, makes payments with and without FX, checks that
 * failed payments are undone, and that events are published. Its ids are new, so that it can run
 * twice with one database.
 */
final class SmokeRun {
  private static final int PAYMENTS = 10;
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);

  private final Servers servers;
  private final Duration endsWithin;
  private final Checks checks = new Checks();
  private final Set<UUID> paid = new HashSet<>();

  SmokeRun(Servers servers) {
    this(servers, ENDS_WITHIN);
  }

  SmokeRun(Servers servers, Duration endsWithin) {
    this.servers = servers;
    this.endsWithin = endsWithin;
  }

  boolean holds() throws IOException, InterruptedException, SQLException, JMSException {
    try (Service service = Service.start(servers, Application.freePort())) {
      return holds(service);
    }
  }

  boolean holds(Service service)
      throws IOException, InterruptedException, SQLException, JMSException {
    try (PaymentEventReader told = new PaymentEventReader(servers);
        Rows rows = servers.rows()) {
      UUID funded = service.account(new BigDecimal(1000), ENDS_WITHIN);
      UUID limited = service.limitedAccount(new BigDecimal(150), ENDS_WITHIN);
      checks.that(true, "two accounts are open, with money and with a limit");
      payments(service, funded);
      compensations(service, limited);
      events(told);
      ServiceChecks state = new ServiceChecks(service, rows, checks);
      state.books();
      state.refusals(funded, paid.iterator().next());
      state.numbers(endsWithin);
      return checks.result(
          "every payment was made and published once, and failed ones were undone.",
          service.application().log());
    }
  }

  /** Makes payments, half of them in another currency. */
  private void payments(Service service, UUID account) throws IOException, InterruptedException {
    List<HttpResponse<String>> accepted = new ArrayList<>();
    for (int i = 0; i < PAYMENTS; i++) {
      UUID id = UUID.randomUUID();
      paid.add(id);
      accepted.add(
          i % 2 == 0
              ? service.pay(id, account, BigDecimal.TEN, BigDecimal.TEN, "USD")
              : service.pay(id, account, BigDecimal.TEN, new BigDecimal("13.5"), "CAD"));
    }
    int succeeded = 0;
    for (HttpResponse<String> each : accepted) {
      succeeded += service.status(each, endsWithin).equals("SUCCEEDED") ? 1 : 0;
    }
    checks.that(succeeded == PAYMENTS, succeeded + " payments SUCCEEDED");
    BigDecimal balance = service.balance(account);
    checks.that(
        balance.compareTo(new BigDecimal(1000 - 10 * PAYMENTS)) == 0,
        "the account has " + balance + " left");
  }

  private void compensations(Service service, UUID limited)
      throws IOException, InterruptedException {
    UUID good = UUID.randomUUID();
    paid.add(good);
    BigDecimal hundred = new BigDecimal(100);
    checks.that(
        service
            .status(service.pay(good, limited, hundred, hundred, "USD"), endsWithin)
            .equals("SUCCEEDED"),
        "a payment within the limit SUCCEEDED");
    checks.that(
        service
            .status(service.pay(UUID.randomUUID(), limited, hundred, hundred, "USD"), endsWithin)
            .equals("FAILED"),
        "one above it FAILED, with nothing to undo");
    BigDecimal twenty = new BigDecimal(20);
    checks.that(
        service
            .status(service.pay(UUID.randomUUID(), limited, twenty, hundred, "CAD"), endsWithin)
            .equals("COMPENSATED"),
        "one at a rate above the market was COMPENSATED");
    checks.that(
        service.application().get("/accounts/" + limited).body().contains("\"utilizedAmount\":100"),
        "and its limit is free again");
  }

  private void events(PaymentEventReader told) throws JMSException {
    Map<UUID, Set<String>> events = told.await(paid, endsWithin);
    checks.that(
        paid.stream().allMatch(each -> events.getOrDefault(each, Set.of()).size() == 1),
        "each of the %d payments was published once".formatted(paid.size()));
  }
}
