package io.postroad.example.payment.run;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * {@code bin/example approve-payment [--smoke [--kill]]}. Without arguments the application runs
 * until it is interrupted; otherwise it is tried, and the exit code is 0 only if all is as it
 * should be.
 */
public final class Example {
  private static final int PORT = 8080;

  private Example() {}

  public static void main(String[] args) throws Exception {
    System.setProperty("logback.configurationFile", "run-logback.xml");
    List<String> given = Arrays.asList(args);
    boolean ok = true;
    try (Servers servers = Servers.start()) {
      if (given.contains("--kill")) {
        ok = new CrashRun(servers).holds();
      } else if (given.contains("--smoke")) {
        ok = new SmokeRun(servers).holds();
      } else {
        serve(servers);
      }
    }
    System.exit(ok ? 0 : 1);
  }

  private static void serve(Servers servers) throws InterruptedException {
    try (Service service = Service.start(servers, PORT)) {
      Narrator.say("The application is at " + service.url("/") + ". Try:");
      Narrator.say(
          """
            curl -i -H 'Content-Type: application/json' -d '{"paymentId":"p-1","userId":"u-1","amount":10.50,"currency":"BRL"}' %s
            curl -i -H 'Content-Type: application/json' -d '{"paymentId":"p-2","userId":"u-1","amount":-1,"currency":"BRL"}' %s
            curl %s
            curl -s %s | grep '^outbox_'
          Kafka is at %s, topic %s. Ctrl-C ends everything."""
              .formatted(
                  service.url("/payments/approve"),
                  service.url("/payments/approve"),
                  service.url("/outbox/counts"),
                  service.url("/actuator/prometheus"),
                  servers.bootstrapServers(),
                  Servers.TOPIC));
      new CountDownLatch(1).await();
    }
  }
}
