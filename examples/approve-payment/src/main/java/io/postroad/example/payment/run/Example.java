package io.postroad.example.payment.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.example.kit.Task;

/**
 * Runs {@code bin/example approve-payment [--smoke [--kill]]}. Without arguments the application
 * runs until it is interrupted. Otherwise it is tried, and the exit code is 0 only if all checks
 * passed.
 */
public final class Example {
  private static final int DEFAULT_PORT = 8080;

  private Example() {}

  public static void main(String[] args) throws Exception {
    System.setProperty("logback.configurationFile", "run-logback.xml");
    Task.main(
        args,
        () -> PostgresAndKafka.start("payments", "payment.approved"),
        Example::serve,
        servers -> new SmokeRun(servers).holds(),
        servers -> new CrashRun(servers).holds());
  }

  /** Runs the application. Returns only if it ends by itself, which is a failure. */
  private static boolean serve(PostgresAndKafka servers) {
    try (Service service = Service.start(servers, Task.portOr(DEFAULT_PORT), Narrator::say)) {
      Application application = service.application();
      Narrator.say("The application is at " + application.url("/") + ". Try:");
      Narrator.say(
          """
            curl -i -H 'Content-Type: application/json' -d '{"paymentId":"p-1","userId":"u-1","amount":10.50,"currency":"BRL"}' %s
            curl -i -H 'Content-Type: application/json' -d '{"paymentId":"p-2","userId":"u-1","amount":-1,"currency":"BRL"}' %s
            curl %s
            curl -s %s | grep '^outbox_'
          The database is at %s
          Kafka is at %s, topic %s. Ctrl-C ends everything."""
              .formatted(
                  application.url("/payments/approve"),
                  application.url("/payments/approve"),
                  application.url("/outbox/counts"),
                  application.url("/actuator/prometheus"),
                  servers.jdbcUrl(),
                  servers.bootstrapServers(),
                  servers.topic()));
      Narrator.say("The application ended with exit code " + application.follow(Narrator::say));
      return false;
    }
  }
}
