package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.postroad.servers.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Section 8.4 of the guide. */
class HealthTest {
  private final RunningApplication application = RunningApplication.shared();

  @Test
  void healthCoversTheDatabaseAndTheOutbox() throws Exception {
    JsonNode health = RunningApplication.json(application.get("/health"));
    assertThat(health.path("status").textValue()).isEqualTo("UP");
    assertThat(health.at("/details/postroad/status").textValue()).isEqualTo("UP");
    assertThat(health.at("/details/postroad/details/degraded").booleanValue()).isFalse();
    assertThat(health.at("/details/jdbc/status").textValue()).isEqualTo("UP");
  }

  @Test
  void healthIsDownWith503WithoutTheDatabase() throws Exception {
    String url = PostgresServer.shared().createDatabase("payments_health");
    Map<String, Object> variables = TestServers.variables(url);
    variables.put("JMS_CONSUMERS_ENABLED", "false");
    // The time in which health waits for a connection, instead of the guide's 30 s.
    variables.put("datasources.default.connection-timeout", "1000");
    try (ApplicationContext context = ApplicationContext.run(variables);
        EmbeddedServer server = context.getBean(EmbeddedServer.class).start()) {
      HttpRequest health = HttpRequest.newBuilder(URI.create(server.getURL() + "/health")).build();
      HttpClient client = HttpClient.newHttpClient();
      assertThat(client.send(health, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
      dropped(Objects.requireNonNull(variables.get("POSTGRES_DB")));

      HttpResponse<String> answer = client.send(health, HttpResponse.BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(503);
      JsonNode body = RunningApplication.json(answer);
      assertThat(body.path("status").textValue()).isEqualTo("DOWN");
      assertThat(body.at("/details/postroad/status").textValue()).isEqualTo("DOWN");
      assertThat(body.at("/details/jdbc/status").textValue()).isEqualTo("DOWN");
    }
  }

  private static void dropped(Object database) throws SQLException {
    try (Connection connection = DriverManager.getConnection(PostgresServer.shared().jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE %s WITH (FORCE)".formatted(database));
    }
  }

  @Test
  void everyMetricOfTheGuideExists() throws Exception {
    UUID accountId = application.account(10);
    var unused = application.ended(application.pay(UUID.randomUUID(), accountId, 1, 1, "USD"));

    String scrape = application.get("/prometheus").body();

    assertThat(scrape)
        .as("backlog of the outbox, and dead letters")
        .contains("outbox_pending_events{", "outbox_dead_letters{")
        .as("how processes end")
        .containsPattern("process_ended_total\\{[^}]*status=\"SUCCEEDED\"[^}]*SimplePayment")
        .as("retries of commands and steps")
        .contains("command_retries_total", "process_step_retries_total")
        .as("connections of the pool")
        .contains("hikaricp_connections_active");
  }
}
