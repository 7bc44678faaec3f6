package io.postroad.example.payments.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Task;

/**
 * Runs {@code bin/example payments-worker [--smoke [--kill]]}. Without arguments the application
 * runs until it is interrupted. Otherwise it is tried, and the exit code is 0 only if all checks
 * passed.
 */
public final class Example {
  private static final int DEFAULT_PORT = 9091;

  private Example() {}

  public static void main(String[] args) throws Exception {
    System.setProperty("logback.configurationFile", "run-logback.xml");
    Task.main(
        args,
        Servers::start,
        Example::serve,
        servers -> new SmokeRun(servers).holds(),
        servers -> new CrashRun(servers).holds());
  }

  /** Runs the application. Returns only if it ends by itself, which is a failure. */
  private static boolean serve(Servers servers) {
    try (Service service = Service.start(servers, Task.portOr(DEFAULT_PORT), Narrator::say)) {
      Application application = service.application();
      Narrator.say("The application is at " + application.url("/") + ". Try:");
      Narrator.say(
          """
            A=11111111-1111-4111-8111-111111111111
            curl -i -H 'Content-Type: application/json' -d '{"accountId":"'$A'","customerId":"22222222-2222-4222-8222-222222222222","currencyCode":"USD","accountType":"CHECKING","transitNumber":"001","limitBased":false}' %1$s/accounts
            curl -i -H 'Content-Type: application/json' -d '{"amount":1000}' %1$s/accounts/$A/deposits
            curl -i -H 'Content-Type: application/json' -d '{"debitAccountId":"'$A'","debitAmount":{"amount":100,"currencyCode":"USD"},"creditAmount":{"amount":135,"currencyCode":"CAD"},"valueDate":"2026-11-30","beneficiary":{"name":"Ada","accountNumber":"DE1","transitNumber":"002"}}' %1$s/payments
            curl %1$s/accounts/$A
            curl %1$s/health
          The database is at %2$s
          Artemis is at %3$s. Ctrl-C ends everything.\
          """
              .formatted(application.url(""), servers.jdbcUrl(), servers.brokerUrl()));
      Narrator.say("The application ended with exit code " + application.follow(Narrator::say));
      return false;
    }
  }
}
