package io.postroad.postgres.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.postroad.admin.OutboxDoctor;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.schema.SchemaMode;
import io.postroad.servers.PostgresServer;
import io.postroad.servers.ServerOptions;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneLease;
import io.postroad.store.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** What only PostgreSQL knows about an outbox that is not well. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DiagnosticsTest {
  private TestDatabase database;
  private PostgresOrderedStore store;
  private Instant appendersClock = Instant.EPOCH;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("examine");
    store = PostgresOrderedStore.open(database.pool(), database.options(), () -> appendersClock);
  }

  @BeforeEach
  void reset() throws SQLException {
    database.reset();
    appendersClock = Instant.EPOCH;
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  @Test
  void aTransactionThatStaysOpenIsNamedWithItsConnectionAndAge() throws Exception {
    try (Connection forgotten = database.pool().getConnection();
        Statement statement = forgotten.createStatement()) {
      forgotten.setAutoCommit(false);
      statement.execute("SET LOCAL application_name = 'report'");
      statement.execute("SELECT 1");
      assertThat(codes(store.examine())).doesNotContain("old-transaction");

      database.advance(Duration.ofMinutes(10));

      Finding finding = find("old-transaction");
      assertThat(finding.what())
          .contains(
              "process " + forgotten.unwrap(PGConnection.class).getBackendPID(),
              "'report'",
              "idle in transaction")
          .containsPattern("open for 60\\d s");
      forgotten.rollback();
    }
    assertThat(codes(store.examine())).doesNotContain("old-transaction");
  }

  @Test
  void aTableThatShouldBeEmptyIsNamedWithWhoKeepsIt() throws Exception {
    LaneLease lease = store.lanes().take(0, "node", Duration.ofDays(30)).orElseThrow();
    Outbox<Connection> outbox = Outbox.over(store);
    store
        .transactions()
        .run(transaction -> outbox.append(Message.event("a").to("somewhere").json("{}").build()));
    LaneBatch batch = store.log().read(lease, lease.position(), 10);
    store.log().advance(lease, batch.end(), List.of());
    appendersClock = appendersClock.plus(PostgresOptions.defaults().logRotation());
    assertThat(codes(store.examine())).doesNotContain("blocked-rotation");
    database.advance(PostgresOptions.defaults().logRotation().multipliedBy(2));

    assertThat(find("blocked-rotation").what()).contains("outbox_log_0", "no session uses it");

    try (Connection reader = database.pool().getConnection();
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("SET LOCAL application_name = 'nightly dump'");
      statement.execute("SELECT count(*) FROM outbox_log_0");

      assertThat(find("blocked-rotation").what()).contains("nightly dump");
      reader.rollback();
    }
  }

  /** It has no session: neither its owner nor an open connection leads to it. */
  @Test
  void aPreparedTransactionIsNamedWithItsIdOwnerAndAgeByDoctorAndRotation() throws Exception {
    assumeTrue(System.getenv("POSTGRES_URL") == null, "needs max_prepared_transactions");
    ServerOptions options = ServerOptions.defaults().withSetting("max_prepared_transactions", "5");
    try (PostgresServer server = PostgresServer.started(options)) {
      PGSimpleDataSource dataSource = new PGSimpleDataSource();
      dataSource.setUrl(server.createDatabase("prepared"));
      Instant[] clock = {Instant.EPOCH};
      try (PostgresOrderedStore ours =
              PostgresOrderedStore.open(
                  dataSource,
                  PostgresOptions.defaults()
                      .withSchemaMode(SchemaMode.MIGRATE)
                      .withWakeUpMode(PostgresOptions.WakeUpMode.LOCAL)
                      .withClock("(statement_timestamp() + INTERVAL '20 days')"),
                  () -> clock[0]);
          Connection session = dataSource.getConnection();
          Statement statement = session.createStatement()) {
        Outbox<Connection> outbox = Outbox.over(ours);
        ours.transactions()
            .run(tx -> outbox.append(Message.event("a").to("somewhere").json("{}").build()));
        LaneLease lease = ours.lanes().take(0, "node", Duration.ofDays(30)).orElseThrow();
        ours.log().advance(lease, ours.log().read(lease, lease.position(), 10).end(), List.of());
        session.setAutoCommit(false);
        statement.execute("SELECT count(*) FROM outbox_log_0");
        statement.execute("CREATE TABLE something (n int)");
        statement.execute("PREPARE TRANSACTION 'order-4711'");
        session.setAutoCommit(true);
        clock[0] = clock[0].plus(PostgresOptions.defaults().logRotation());

        assertThat(ours.purge(Duration.ZERO, 10).blockedBy())
            .singleElement()
            .asString()
            .contains(
                "outbox_log_0 cannot be emptied",
                "'order-4711'",
                "owner postgres",
                "ROLLBACK PREPARED 'order-4711'");
        Finding old =
            ours.examine().stream()
                .filter(each -> each.code().equals("old-transaction"))
                .findFirst()
                .orElseThrow();
        assertThat(old.what()).contains("'order-4711'", "owner postgres").containsPattern("\\d s");
        assertThat(old.todo()).contains("ROLLBACK PREPARED 'order-4711'");

        statement.execute("ROLLBACK PREPARED 'order-4711'");
        assertThat(codes(ours.examine())).doesNotContain("old-transaction");
        assertThat(ours.purge(Duration.ZERO, 10).messages()).isEqualTo(1);
      }
    }
  }

  @Test
  void aRoleThatCommitsWithoutWaitingForTheDiskIsNamed() throws Exception {
    assertThat(codes(store.examine())).doesNotContain("unsafe-commit");
    String role = database.createRole("hasty");
    String name = database.value("SELECT current_database()");
    database.execute(
        "ALTER ROLE %s IN DATABASE %s SET synchronous_commit = off".formatted(role, name));

    assertThat(find("unsafe-commit").what()).contains(role, name, "synchronous_commit is off");

    database.execute("ALTER ROLE %s IN DATABASE %s RESET ALL".formatted(role, name));
    assertThat(codes(store.examine())).doesNotContain("unsafe-commit");
  }

  @Test
  void aMissingIndexIsAFindingAndNothingElseIsAsked() throws Exception {
    database.execute("ALTER INDEX outbox_held_status_idx RENAME TO somebody_renamed_it");
    try {
      List<Finding> findings = OutboxDoctor.of(store).examine();

      assertThat(findings)
          .filteredOn(finding -> finding.code().equals("schema"))
          .singleElement()
          .satisfies(finding -> assertThat(finding.what()).contains("outbox_held_status_idx"));
    } finally {
      database.execute("ALTER INDEX somebody_renamed_it RENAME TO outbox_held_status_idx");
    }
  }

  private Finding find(String code) {
    List<Finding> findings = store.examine();
    assertThat(codes(findings)).contains(code);
    return findings.stream().filter(each -> each.code().equals(code)).findFirst().orElseThrow();
  }

  private static List<String> codes(List<Finding> findings) {
    return findings.stream().map(Finding::code).toList();
  }
}
