package io.postroad.example.payment.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.kit.Application;
import io.postroad.example.kit.PostgresAndKafka;
import io.postroad.servers.KafkaServer;
import io.postroad.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks the result of bin/example --smoke for an application in its own process. */
class SmokeRunTest {
  private static final PostgresAndKafka SERVERS =
      PostgresAndKafka.over(
          PostgresServer.shared(), KafkaServer.shared(), "payments", "payment.approved");

  @SuppressWarnings("NullAway.Init")
  private static Service service;

  @BeforeAll
  static void start() {
    service = Service.start(SERVERS, Application.freePort());
  }

  @AfterAll
  static void end() {
    service.close();
  }

  @Test
  void aWorkingApplicationPasses() throws Exception {
    assertThat(new SmokeRun(SERVERS).holds(service)).isTrue();
  }

  /** Payments are answered and stored, but their events are lost. */
  @Test
  void anApplicationThatLosesItsEventsFails() throws Exception {
    execute(
        """
        CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN DELETE FROM outbox_event WHERE id = NEW.id; RETURN NULL; END $$
        """);
    execute(
        "CREATE TRIGGER lose AFTER INSERT ON outbox_event FOR EACH ROW EXECUTE FUNCTION lose()");
    try {
      assertThat(new SmokeRun(SERVERS, Duration.ofSeconds(1)).holds(service)).isFalse();
    } finally {
      execute("DROP TRIGGER lose ON outbox_event");
    }
  }

  private static void execute(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection(SERVERS.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
