package io.postroad.example.payments.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.example.kit.Application;
import io.postroad.servers.ArtemisServer;
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
  @SuppressWarnings("NullAway.Init")
  private static ArtemisServer artemis;

  @SuppressWarnings("NullAway.Init")
  private static Servers servers;

  @SuppressWarnings("NullAway.Init")
  private static Service service;

  /** Starts its own broker, because another application consumes the queues of the shared one. */
  @BeforeAll
  static void start() {
    artemis = ArtemisServer.started();
    servers = Servers.over(PostgresServer.shared(), artemis);
    service = Service.start(servers, Application.freePort());
  }

  @AfterAll
  static void end() {
    service.close();
    artemis.close();
  }

  @Test
  void aWorkingApplicationPasses() throws Exception {
    assertThat(new SmokeRun(servers).holds(service)).isTrue();
  }

  /** Payments are made and published, but the account is debited twice. */
  @Test
  void anApplicationWithWrongBalancesFails() throws Exception {
    execute(
        """
        CREATE FUNCTION twice() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          UPDATE account SET available_balance = available_balance - NEW.amount
          WHERE account_id = NEW.account_id;
          RETURN NULL;
        END $$
        """);
    execute(
        """
        CREATE TRIGGER twice AFTER INSERT ON transaction
        FOR EACH ROW WHEN (NEW.transaction_type = 'DEBIT') EXECUTE FUNCTION twice()
        """);
    try {
      assertThat(new SmokeRun(servers, Duration.ofSeconds(20)).holds(service)).isFalse();
    } finally {
      execute("DROP TRIGGER twice ON transaction");
      execute(
          """
          UPDATE account AS a SET available_balance = (
            SELECT COALESCE(SUM(CASE transaction_type WHEN 'CREDIT' THEN amount ELSE -amount END), 0)
            FROM transaction AS t WHERE t.account_id = a.account_id)
          """);
    }
  }

  private static void execute(String sql) throws Exception {
    try (Connection connection = DriverManager.getConnection(servers.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
