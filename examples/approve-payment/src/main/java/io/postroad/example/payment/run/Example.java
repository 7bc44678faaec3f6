package io.postroad.example.payment.run;

import java.util.Arrays;
import java.util.List;

/**
 * {@code bin/example approve-payment [--smoke [--kill]]}. Without arguments the application runs
 * until it is interrupted; otherwise it is tried, and the exit code is 0 only if all is as it
 * should be.
 */
public final class Example {
  private static final String DEFAULT_PORT = "8080";

  private Example() {}

  public static void main(String[] args) throws Exception {
    System.setProperty("logback.configurationFile", "run-logback.xml");
    List<String> given = Arrays.asList(args);
    boolean ok;
    try (Servers servers = Servers.start()) {
      if (given.contains("--kill")) {
        ok = new CrashRun(servers).holds();
      } else if (given.contains("--smoke")) {
        ok = new SmokeRun(servers).holds();
      } else {
        ok = serve(servers);
      }
    }
    System.exit(ok ? 0 : 1);
  }

  /** Returns only when the application ends by itself, which it should not. */
  private static boolean serve(Servers servers) {
    int port = Integer.parseInt(System.getenv().getOrDefault("APP_PORT", DEFAULT_PORT));
    try (Service service = Service.start(servers, port, Narrator::say)) {
      Narrator.say("The application is at " + service.url("/") + ". Try:");
      Narrator.say(
          """
            curl -i -H 'Content-Type: application/json' -d '{"paymentId":"p-1","userId":"u-1","amount":10.50,"currency":"BRL"}' %s
            curl -i -H 'Content-Type: application/json' -d '{"paymentId":"p-2","userId":"u-1","amount":-1,"currency":"BRL"}' %s
            curl %s
            curl -s %s | grep '^outbox_'
          The database is at %s
          Kafka is at %s, topic %s. Ctrl-C ends everything."""
              .formatted(
                  service.url("/payments/approve"),
                  service.url("/payments/approve"),
                  service.url("/outbox/counts"),
                  service.url("/actuator/prometheus"),
                  servers.jdbcUrl(),
                  servers.bootstrapServers(),
                  Servers.TOPIC));
      Narrator.say("The application ended with exit code " + service.follow(Narrator::say));
      return false;
    }
  }
}
