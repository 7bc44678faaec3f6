package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.schema.SchemaMode;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.Settlement;
import io.postroad.store.MessageStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** How the store's own statements behave on the connections they borrow. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class OwnStatementsTest {
  private static final ClaimRequest TEN = new ClaimRequest("node", 10, Duration.ofMinutes(1));
  private static final String WITNESS =
      """
      CREATE TABLE witness (sync text, sorts text);
      CREATE FUNCTION witness() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO witness VALUES
          (current_setting('synchronous_commit'), current_setting('enable_sort'));
        RETURN NULL;
      END $$;
      CREATE TRIGGER witness AFTER UPDATE ON outbox_queue
        FOR EACH STATEMENT EXECUTE FUNCTION witness();
      """;

  private TestDatabase database;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("own");
    database.execute(WITNESS);
  }

  @BeforeEach
  void reset() throws SQLException {
    database.reset();
    database.execute("TRUNCATE witness");
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void aClaimWaitsForTheDiskAndASettleDoesNot() throws Exception {
    try (PostgresCompetingStore store = database.open()) {
      append(store, 1);
      List<Claim> claims = store.claim(TEN);
      assertThat(database.rows("SELECT * FROM witness")).containsExactly("on|off");
      database.execute("TRUNCATE witness");

      store.settle(List.of(new Settlement.Delivered(claims.get(0))));

      assertThat(database.rows("SELECT * FROM witness")).containsExactly("off|off");
    }
  }

  /** The caller's own work commits with it: it must reach the disk, by the caller's plans. */
  @Test
  void aSettlementInATransactionOfTheCallerChangesNoSetting() throws Exception {
    try (PostgresCompetingStore store = database.open()) {
      append(store, 1);
      Claim claim = store.claim(TEN).get(0);
      database.execute("TRUNCATE witness");

      store.transactions().run(unit -> store.settle(unit, new Settlement.Delivered(claim)));

      assertThat(database.rows("SELECT * FROM witness")).containsExactly("on|on");
    }
  }

  @Test
  void theSettingsOfAStatementEndWithIt() throws Exception {
    try (HikariDataSource one = pool(1, true);
        PostgresCompetingStore store = PostgresCompetingStore.open(one, database.options())) {
      append(store, 1);
      for (int i = 0; i < 10; i++) {
        store.settle(List.of(new Settlement.Release(store.claim(TEN).get(0), Duration.ZERO, "x")));
      }
      store.backlog();

      assertThat(
              TestDatabase.rows(
                  one,
                  "SELECT current_setting('synchronous_commit'), current_setting('enable_sort'),"
                      + " current_setting('enable_seqscan')"))
          .containsExactly("on|on|on");
    }
  }

  /** Plans that the server caches while the queue is empty must serve a full one too. */
  @Test
  void noVerbScansTheTableWhateverWasCachedWhileItWasEmpty() throws Exception {
    try (HikariDataSource one = pool(1, true);
        PostgresCompetingStore store = PostgresCompetingStore.open(one, database.options())) {
      database.execute("VACUUM ANALYZE outbox_queue");
      for (int i = 0; i < 12; i++) {
        everyVerb(store);
      }
      append(store, 3_000);
      long before = sequentialScans(one);

      for (int i = 0; i < 12; i++) {
        everyVerb(store);
      }

      assertThat(sequentialScans(one)).isEqualTo(before);
    }
  }

  private static void everyVerb(PostgresCompetingStore store) {
    List<Claim> claims = store.claim(TEN);
    Message unknown = Message.event("T").to("d").json("{}").build();
    Claim nobodys = new Claim(unknown, 1, 1, store.now(), Optional.empty());
    store.extend(List.of(nobodys), Duration.ofMinutes(1));
    store.settle(List.of(new Settlement.Delivered(nobodys)));
    store.settle(claims.stream().<Settlement>map(Settlement.Delivered::new).toList());
    store.find(unknown.id());
    store.backlog();
    store.purge(Duration.ofDays(1), 10);
  }

  private static long sequentialScans(HikariDataSource one) throws SQLException {
    TestDatabase.rows(one, "SELECT pg_stat_force_next_flush()");
    return Long.parseLong(
        TestDatabase.rows(
                one, "SELECT seq_scan FROM pg_stat_user_tables WHERE relname = 'outbox_queue'")
            .get(0));
  }

  @Test
  void aPoolWithoutAutocommitServesEveryVerb() throws Exception {
    try (HikariDataSource manual = pool(3, false);
        PostgresCompetingStore store = PostgresCompetingStore.open(manual, database.options())) {
      append(store, 2);
      List<Claim> claims = store.claim(TEN);
      store.extend(claims, Duration.ofMinutes(5));
      store.settle(List.of(new Settlement.Delivered(claims.get(0))));
      store.purge(Duration.ZERO, 10);

      assertThat(database.value("SELECT count(*) FROM outbox_queue")).isEqualTo("1");
      assertThat(store.backlog().pending()).isEqualTo(1);
    }
  }

  @Test
  void aBorrowedConnectionGoesBackWithTheAutocommitItHad() throws Exception {
    PostgresOptions local = database.options().withWakeUpMode(PostgresOptions.WakeUpMode.LOCAL);
    for (boolean autoCommit : new boolean[] {true, false}) {
      try (KeptConnection kept = new KeptConnection(database.url(), autoCommit);
          PostgresCompetingStore store = PostgresCompetingStore.open(kept, local)) {
        everyVerb(store);

        assertThat(kept.autoCommit()).isEqualTo(autoCommit);
      }
    }
  }

  @Test
  void aSettleThatADeadlockUndidRunsAgain() throws Exception {
    try (PostgresCompetingStore store = database.open();
        Connection other = database.pool().getConnection();
        Statement statement = other.createStatement()) {
      append(store, 2);
      List<Claim> claims =
          store.claim(TEN).stream().sorted(Comparator.comparing(Claim::id)).toList();
      other.setAutoCommit(false);
      // So that it is the settle that the server picks as the victim.
      statement.execute("SET LOCAL deadlock_timeout = '100s'");
      lock(statement, claims.get(1).id());
      CompletableFuture<Set<UUID>> rejected =
          CompletableFuture.supplyAsync(
              () ->
                  store.settle(
                      claims.stream().<Settlement>map(Settlement.Delivered::new).toList()));
      database.awaitLockWait();

      lock(statement, claims.get(0).id());
      other.rollback();

      assertThat(rejected.get(60, TimeUnit.SECONDS)).isEmpty();
      assertThat(database.rows("SELECT DISTINCT status FROM outbox_queue"))
          .containsExactly("DISPATCHED");
    }
  }

  @Test
  void aStatementThatTakesTooLongIsCancelledAndSaysSo() throws Exception {
    PostgresOptions impatient = database.options().withStatementTimeout(Duration.ofSeconds(1));
    try (PostgresCompetingStore store = PostgresCompetingStore.open(database.pool(), impatient);
        Connection other = database.pool().getConnection();
        Statement statement = other.createStatement()) {
      append(store, 1);
      List<Claim> claims = store.claim(TEN);
      other.setAutoCommit(false);
      lock(statement, claims.get(0).id());

      assertThatThrownBy(() -> store.settle(List.of(new Settlement.Delivered(claims.get(0)))))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("could not settle messages")
          .hasMessageContaining("statement timeout");
      other.rollback();
      assertThat(store.settle(List.of(new Settlement.Delivered(claims.get(0))))).isEmpty();
    }
  }

  @Test
  void anUnreadableRowIsADeadLetterAndTheOthersOfItsBatchAreClaimed() throws Exception {
    try (PostgresCompetingStore store = database.open()) {
      List<Message> messages = append(store, 3);
      database.update(
          "UPDATE outbox_queue SET headers = 'nonsense' WHERE outbox_id = ?", messages.get(1).id());

      assertThat(store.claim(TEN))
          .extracting(Claim::id)
          .containsExactlyInAnyOrder(messages.get(0).id(), messages.get(2).id());
      assertThatThrownBy(() -> store.find(messages.get(1).id()))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining(messages.get(1).id() + " cannot be read");
      assertThat(database.rows("SELECT last_error FROM outbox WHERE status = 'FAILED'"))
          .singleElement()
          .asString()
          .contains("cannot be read as a message", "name: value");
    }
  }

  @Test
  void aDeadLetterIsSentAgainAsTheRunbookSays() throws Exception {
    String runbook = Files.readString(Path.of("..", "docs", "operate", "outbox.md"));
    String sql = runbook.substring(runbook.indexOf("UPDATE outbox_queue"));
    try (PostgresCompetingStore store = database.open()) {
      append(store, 1);
      Claim claim = store.claim(TEN).get(0);
      store.settle(List.of(new Settlement.Dead(claim, "no")));

      database.update(
          sql.substring(0, sql.indexOf(';')).replace("'00000000-0000-0000-0000-000000000000'", "?"),
          claim.id());

      assertThat(store.claim(TEN))
          .singleElement()
          .satisfies(
              again -> {
                assertThat(again.id()).isEqualTo(claim.id());
                assertThat(again.attempt()).isEqualTo(1);
                assertThat(again.token()).isGreaterThan(claim.token());
              });
    }
  }

  @Test
  void anErrorTextThatPostgresRefusesDoesNotFailItsBatch() throws Exception {
    try (PostgresCompetingStore store = database.open()) {
      append(store, 2);
      List<Claim> claims = store.claim(TEN);

      store.settle(
          List.of(
              new Settlement.Dead(claims.get(0), "NUL \0 and half a pair \ud83d"),
              new Settlement.Delivered(claims.get(1))));

      assertThat(store.find(claims.get(0).id()).orElseThrow().lastError())
          .contains("NUL   and half a pair ?");
      assertThat(store.find(claims.get(1).id()).orElseThrow().status())
          .isEqualTo(MessageStatus.DISPATCHED);
    }
  }

  @Test
  void aMissingTableIsNamedWithWhatToDo() throws Exception {
    PostgresOptions elsewhere = database.options().withSchema("nowhere");
    PostgresOptions unchecked = elsewhere.withSchemaMode(SchemaMode.NONE);
    try (PostgresCompetingStore store = PostgresCompetingStore.open(database.pool(), unchecked)) {
      assertThatThrownBy(() -> store.claim(TEN))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("nowhere")
          .hasMessageContaining("PostgresSchema.verify()");
    }
  }

  private static List<Message> append(PostgresCompetingStore store, int count) {
    List<Message> messages =
        Stream.generate(() -> Message.event("T").to("d").json("{}").build()).limit(count).toList();
    store.transactions().run(c -> store.append(c, messages, Duration.ofDays(1)));
    return messages;
  }

  private static void lock(Statement statement, UUID id) throws SQLException {
    statement
        .executeQuery("SELECT 1 FROM outbox_queue WHERE outbox_id = '" + id + "' FOR UPDATE")
        .close();
  }

  private HikariDataSource pool(int size, boolean autoCommit) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setMaximumPoolSize(size);
    config.setAutoCommit(autoCommit);
    return new HikariDataSource(config);
  }
}
