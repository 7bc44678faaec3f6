package io.postroad.example.rules.run;

import io.postroad.example.kit.Application;
import io.postroad.example.rules.RecurringRulesApplication;
import io.postroad.servers.ChildJvmOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.LocalDate;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The application in its own process, and the requests of this example. */
record Service(Application application) implements AutoCloseable {
  private static final Pattern RULE_ID = Pattern.compile("\"ruleId\":\"(RR\\d{8})\"");

  /** Starts the application and waits until it answers. */
  static Service start(Servers servers, int port) {
    return start(servers, port, line -> {});
  }

  /**
   * Starts the application and waits until it answers.
   *
   * @param told receives each line that it prints until then
   */
  static Service start(Servers servers, int port, Consumer<String> told) {
    return new Service(
        Application.start(
            ChildJvmOptions.of(RecurringRulesApplication.class)
                // A quick start matters more here than speed later.
                .withJvmArgs("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .withArgs("--spring.main.banner-mode=off")
                .withEnvironment("MONGODB_URI", servers.mongoUri())
                .withEnvironment("MONGODB_DATABASE", servers.database())
                .withEnvironment("KAFKA_BOOTSTRAP_SERVERS", servers.bootstrapServers()),
            port,
            "Started RecurringRules",
            told));
  }

  /** Creates a rule of ten a day for a period, with its name as key. */
  HttpResponse<String> create(String name, String cashFlow, LocalDate from, LocalDate to)
      throws IOException, InterruptedException {
    return application.post("/recurring-rules", body(name, cashFlow, "10.50", from, to));
  }

  static String body(String name, String cashFlow, String amount, LocalDate from, LocalDate to) {
    return """
    {"cashFlowId":"%s","userId":"U1","name":"%s","baseAmount":{"amount":%s,"currency":"PLN"},
     "type":"OUTFLOW","categoryName":"Coffee","recurrencePattern":{"type":"DAILY"},
     "startDate":"%s","endDate":"%s","idempotencyKey":"%s"}
    """
        .formatted(cashFlow, name, amount, from, to, name);
  }

  /** Executes due dates up to a date. */
  HttpResponse<String> run(LocalDate date) throws IOException, InterruptedException {
    return application.post("/executions/run", "{\"date\":\"%s\"}".formatted(date));
  }

  static String ruleId(HttpResponse<String> answer) {
    Matcher matcher = RULE_ID.matcher(answer.body());
    return matcher.find() ? matcher.group(1) : "?";
  }

  @Override
  public void close() {
    application.close();
  }
}
