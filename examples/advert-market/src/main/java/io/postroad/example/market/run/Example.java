package io.postroad.example.market.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.example.kit.Task;

/**
 * Runs {@code bin/example advert-market [--smoke [--kill]]}. Without arguments the application runs
 * until it is interrupted. Otherwise it is tried, and the exit code is 0 only if all checks passed.
 */
public final class Example {
  private static final int DEFAULT_PORT = 8080;

  private Example() {}

  public static void main(String[] args) throws Exception {
    System.setProperty("logback.configurationFile", "run-logback.xml");
    Task.main(
        args,
        () -> PostgresAndKafka.start("market", "deal.events"),
        Example::serve,
        servers -> new SmokeRun(servers).holds(),
        servers -> new CrashRun(servers).holds());
  }

  /** Runs the application. Returns only if it ends by itself, which is a failure. */
  private static boolean serve(PostgresAndKafka servers) {
    try (Market market = Market.start(servers, Task.portOr(DEFAULT_PORT), Narrator::say)) {
      Application application = market.application();
      Narrator.say("The application is at " + application.url("/") + ". Try:");
      Narrator.say(
          """
            curl -i -H 'Content-Type: application/json' -d '{"dealId":"d-1","advertiserId":"ada","channelId":"news","price":10.50,"currency":"EUR"}' %s
            curl -i -H 'Content-Type: application/json' -d '{"amount":10.50}' %s
            curl -i -X POST %s
            curl %s
            curl -s %s | grep '^outbox_'
          The database is at %s
          Kafka is at %s, topic %s. Ctrl-C ends everything."""
              .formatted(
                  application.url("/deals"),
                  application.url("/deals/d-1/fund"),
                  application.url("/deals/d-1/complete"),
                  application.url("/deals/d-1/outbox"),
                  application.url("/actuator/prometheus"),
                  servers.jdbcUrl(),
                  servers.bootstrapServers(),
                  servers.topic()));
      Narrator.say("The application ended with exit code " + application.follow(Narrator::say));
      return false;
    }
  }
}
