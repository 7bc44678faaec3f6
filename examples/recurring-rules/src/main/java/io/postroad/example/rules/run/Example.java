package io.postroad.example.rules.run;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.Narrator;
import io.postroad.example.kit.Task;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * Runs {@code bin/example recurring-rules [--smoke [--kill]]}. Without arguments the application
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
            curl -i -H 'Content-Type: application/json' -d '{"cashFlowId":"CF1","userId":"U1","name":"Coffee","baseAmount":{"amount":10.50,"currency":"PLN"},"type":"OUTFLOW","categoryName":"Food","recurrencePattern":{"type":"DAILY"},"startDate":"%s"}' %s
            curl -i -H 'Content-Type: application/json' -d '{}' %s
            curl %s
            curl %s
          MongoDB is at %s, database %s
          Kafka is at %s, topic %s. Ctrl-C ends everything.\
          """
              .formatted(
                  LocalDate.now(ZoneOffset.UTC).minusDays(2),
                  application.url("/recurring-rules"),
                  application.url("/executions/run"),
                  application.url("/recurring-rules?cashFlowId=CF1"),
                  application.url("/cash-flows/CF1/cash-changes"),
                  servers.mongoUri(),
                  servers.database(),
                  servers.bootstrapServers(),
                  Servers.TOPIC));
      Narrator.say("The application ended with exit code " + application.follow(Narrator::say));
      return false;
    }
  }
}
