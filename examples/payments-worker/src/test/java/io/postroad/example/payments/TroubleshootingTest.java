package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.transaction.TransactionOperations;
import io.postroad.example.kit.Await;
import io.postroad.example.payments.infrastructure.messaging.Queues;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxRelay;
import io.postroad.process.ProcessStatus;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The queries of section 10 of the guide, from troubleshooting.sql. */
class TroubleshootingTest {
  private final RunningApplication application = RunningApplication.shared();

  /** Returns the queries by the first words of their comments. */
  private static Map<String, String> queries() throws Exception {
    Map<String, String> found = new LinkedHashMap<>();
    for (String part : Files.readString(Path.of("troubleshooting.sql")).split("\n\n")) {
      if (part.contains("SELECT")) {
        String comment = part.substring("-- ".length(), part.indexOf('\n'));
        found.put(
            comment.replaceAll(" \\(.*", ""),
            part.substring(part.indexOf('\n') + 1).replace(";", ""));
      }
    }
    return found;
  }

  private static String query(String comment) throws Exception {
    return Objects.requireNonNull(queries().get(comment), comment);
  }

  @Test
  void theQueriesShowTheHistoryOfAPayment() throws Exception {
    UUID accountId = application.limitedAccount(10);
    HttpResponse<String> accepted = application.pay(UUID.randomUUID(), accountId, 10, 10, "USD");
    assertThat(application.ended(accepted)).isEqualTo(ProcessStatus.SUCCEEDED);
    HttpResponse<String> refused = application.pay(UUID.randomUUID(), accountId, 10, 10, "USD");
    assertThat(application.ended(refused)).isEqualTo(ProcessStatus.FAILED);
    String failed = RunningApplication.json(refused).path("processId").textValue();
    assertThat(queries()).hasSize(11);

    assertThat(application.query(query("Check outbox backlog")))
        .extracting(row -> row.get(0))
        .contains("command", "reply", "event");
    assertThat(application.query(query("Current process states")))
        .extracting(row -> row.get(0))
        .contains("SUCCEEDED", "FAILED");
    assertThat(application.query(query("Recent failures")))
        .extracting(row -> row.get(0))
        .contains(failed);
    assertThat(
            application.query(
                query("Full event history for a process").replace("uuid-here", failed)))
        .extracting(row -> row.get(0) + " " + row.get(1))
        .contains("StepFailed BookLimits");
    assertThat(application.query(query("Command processing states")))
        .extracting(row -> row.get(0) + " " + row.get(1))
        .contains("BookLimits COMPLETED", "BookLimits FAILED");
    assertThat(application.query(query("Check connection count"))).hasSize(1);
    assertThat(application.query(query("Index usage"))).isNotEmpty();
  }

  /** A process that waits for a message that is never sent, and a message that cannot be sent. */
  @Test
  void theQueriesShowStuckProcessesAndMessages() throws Exception {
    String url = PostgresServer.shared().createDatabase("payments_trouble");
    Map<String, Object> variables = TestServers.variables(url);
    variables.put("JMS_CONSUMERS_ENABLED", "false");
    try (ApplicationContext troubled = ApplicationContext.run(variables)) {
      String dead = appended(troubled, "NO.SUCH.Q");
      String failed = query("Failed messages");
      assertThat(
              Await.<SQLException>until(
                  () -> !RunningApplication.query(url, failed).isEmpty(), Duration.ofMinutes(1)))
          .isTrue();
      troubled.getBean(OutboxRelay.class).stop();
      String processId = opening(troubled);

      assertThat(RunningApplication.query(url, failed))
          .extracting(row -> row.get(0))
          .containsExactly(dead);
      assertThat(RunningApplication.query(url, query("Messages pending dispatch")))
          .extracting(row -> row.subList(0, 3))
          .containsExactly(List.of("command", Queues.of("CreateAccount"), "1"));
      assertThat(RunningApplication.query(url, query("Check outbox backlog")))
          .containsExactlyInAnyOrder(
              List.of("command", "PENDING", "1"), List.of("event", "FAILED", "1"));
      String stuck = query("Find stuck processes");
      assertThat(RunningApplication.query(url, stuck)).isEmpty();
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute(
            "UPDATE process_instance SET updated_at = updated_at - INTERVAL '6 minutes'");
      }
      assertThat(RunningApplication.query(url, stuck))
          .extracting(row -> row.get(0))
          .containsExactly(processId);
    }
  }

  @SuppressWarnings("unchecked")
  private static String appended(ApplicationContext troubled, String destination) {
    TransactionOperations<Connection> tx =
        troubled.getBean(Argument.of(TransactionOperations.class, Connection.class));
    Outbox<Connection> outbox = troubled.getBean(Argument.of(Outbox.class, Connection.class));
    Message message =
        Message.event("Nothing")
            .to(destination)
            .aggregate("Payment", "1")
            .json(Map.of(), troubled.getBean(JsonCodec.class))
            .build();
    return tx.executeWrite(status -> outbox.append(message).id().toString());
  }

  private static String opening(ApplicationContext troubled) {
    return AccountOpening.start(troubled, UUID.randomUUID().toString()).toString();
  }

  /** The view exists only on a server that was started with its extension. */
  @Test
  void slowQueriesAreShownByAServerWithTheExtension() throws Exception {
    String slow = query("Check slow queries");
    assertThatThrownBy(() -> application.query(slow)).hasMessageContaining("pg_stat_statements");
    try (PostgresServer server =
            PostgresServer.started(
                ServerOptions.defaults()
                    .withSetting("shared_preload_libraries", "pg_stat_statements"));
        Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement()) {
      assumeThat(RunningApplication.query(server.jdbcUrl(), "SHOW shared_preload_libraries"))
          .as("a server of our own")
          .contains(List.of("pg_stat_statements"));
      statement.execute("CREATE EXTENSION pg_stat_statements");
      statement.execute("SELECT 'slow'");

      assertThat(RunningApplication.query(server.jdbcUrl(), slow))
          .anySatisfy(
              row -> {
                assertThat(row.get(0)).isEqualTo("SELECT $1");
                assertThat(Double.parseDouble(row.get(1))).isPositive();
                assertThat(row.get(2)).isEqualTo("1");
              });
    }
  }
}
