package io.postroad.example.payments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The guide's section 8.4. */
class HealthTest {
  private final RunningApplication application = RunningApplication.shared();

  @Test
  void healthIsThatOfTheDatabaseAndOfTheOutbox() throws Exception {
    JsonNode health = RunningApplication.json(application.get("/health"));
    assertThat(health.path("status").textValue()).isEqualTo("UP");
    assertThat(health.at("/details/postroad/status").textValue()).isEqualTo("UP");
    assertThat(health.at("/details/postroad/details/degraded").booleanValue()).isFalse();
    assertThat(health.at("/details/jdbc/status").textValue()).isEqualTo("UP");
  }

  @Test
  void everyMetricToMonitorIsThere() throws Exception {
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
