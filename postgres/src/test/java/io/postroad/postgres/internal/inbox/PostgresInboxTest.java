package io.postroad.postgres.internal.inbox;

import static io.postroad.postgres.Plans.onlyOn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.MessageIds;
import io.postroad.message.PostroadException;
import io.postroad.postgres.Plans;
import io.postroad.postgres.PostgresInboxStore;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.InboxEntry;
import io.postroad.spi.InboxStore.Entered;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What PostgreSQL brings into the inbox: snapshots, locks and plans. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class PostgresInboxTest {
  private static final InboxEntry ENTRY = entry("message-1");
  private static final String ROWS =
      """
      INSERT INTO inbox (message_id, handler, processed_at)
      SELECT 'orders-0@' || i, 'billing', now() - INTERVAL '1 day' + i * INTERVAL '1 ms'
      FROM generate_series(1, 100000) AS i;
      INSERT INTO inbox_waiting (retry_id, order_name, order_key, since)
      SELECT gen_random_uuid(), 'billing', 'customer-' || i, now() - INTERVAL '1 day'
      FROM generate_series(1, 50000) AS i
      """;

  private TestDatabase database;
  private PostgresInboxStore inbox;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("inbox");
    inbox = PostgresInboxStore.open(database.pool(), database.options());
  }

  @BeforeEach
  void empty() throws SQLException {
    database.reset();
  }

  @AfterAll
  void close() {
    inbox.close();
    database.close();
  }

  /** The insert has waited, so the snapshot of its statement is older than the other's commit. */
  @Test
  void whoBeganToWaitWhileItWaitedForAnotherIsSeen() throws Exception {
    try (Connection first = begin()) {
      assertThat(inbox.enter(first, ENTRY)).isEqualTo(Entered.NEW);
      CompletableFuture<Entered> second = enterBeside(ENTRY);
      database.awaitLockWait();
      inbox.transactions().run(other -> inbox.waits(other, entry("earlier"), MessageIds.next()));
      first.rollback();

      assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(Entered.BEHIND);
    }
  }

  @Test
  void whoWaitedForAnotherThatCommittedIsADuplicate() throws Exception {
    try (Connection first = begin()) {
      assertThat(inbox.enter(first, ENTRY)).isEqualTo(Entered.NEW);
      CompletableFuture<Entered> second = enterBeside(ENTRY);
      database.awaitLockWait();
      first.commit();

      assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(Entered.DUPLICATE);
    }
  }

  /** Its node is frozen or cut off, and its messages went to another. */
  @Test
  void whoIsSilentInItsTransactionIsNotWaitedForForEver() throws Exception {
    try (Connection frozen = begin()) {
      assertThat(inbox.enter(frozen, ENTRY, Duration.ofMillis(500))).isEqualTo(Entered.NEW);

      assertThat(enterBeside(ENTRY).get(60, TimeUnit.SECONDS)).isEqualTo(Entered.NEW);

      assertThatThrownBy(frozen::commit).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void aLimitOfTheUsersOnSilenceStays() throws Exception {
    try (Connection connection = begin()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET LOCAL idle_in_transaction_session_timeout = '7s'");
      }
      assertThat(inbox.enter(connection, ENTRY, Duration.ofMinutes(5))).isEqualTo(Entered.NEW);
      assertThat(setting(connection)).isEqualTo("7s");
      connection.rollback();
      assertThat(inbox.enter(connection, ENTRY, Duration.ofDays(365))).isEqualTo(Entered.NEW);
      assertThat(setting(connection)).isEqualTo("2147483647ms");
      connection.rollback();
      assertThat(setting(connection)).isEqualTo("0");
    }
  }

  private static String setting(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW idle_in_transaction_session_timeout")) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void underRepeatableReadWhoHadToWaitIsToldToRepeat() throws Exception {
    try (Connection first = begin();
        Connection second = begin()) {
      second.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(inbox.enter(second, entry("other"))).isEqualTo(Entered.NEW);
      assertThat(inbox.enter(first, ENTRY)).isEqualTo(Entered.NEW);
      first.commit();

      assertThatThrownBy(() -> inbox.enter(second, ENTRY))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("message-1")
          .cause()
          .extracting("SQLState")
          .isEqualTo("40001");
      second.rollback();
      second.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
  }

  @Test
  void theSettingsOfTheCallersTransactionStayAsTheyAre() throws Exception {
    try (Connection connection = begin()) {
      inbox.enter(connection, ENTRY);
      inbox.waits(connection, ENTRY, MessageIds.next());
      inbox.left(connection, MessageIds.next());

      try (Statement statement = connection.createStatement();
          var row =
              statement.executeQuery(
                  "SELECT name FROM pg_settings WHERE name IN ('enable_seqscan', 'enable_sort',"
                      + " 'synchronous_commit') AND setting = 'off'")) {
        assertThat(row.next()).isFalse();
      }
      connection.rollback();
    }
  }

  @Test
  void aPurgePassesByWhatAnotherNodeIsPurging() throws Exception {
    inbox.transactions().run(connection -> inbox.enter(connection, ENTRY));
    inbox.transactions().run(connection -> inbox.enter(connection, entry("message-2")));
    database.advance(Duration.ofDays(2));
    try (Connection other = begin();
        Statement statement = other.createStatement()) {
      statement.execute("DELETE FROM inbox WHERE message_id = 'message-1'");

      assertThat(inbox.purge(Duration.ofDays(1), 10)).isEqualTo(1);
      other.commit();
    }
    assertThat(inbox.purge(Duration.ofDays(1), 10)).isZero();
  }

  /** Nobody has told the planner about the rows: they came after the last look at the tables. */
  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void everyStatementLooksUpWhatItNeeds(String planning) throws Exception {
    database.execute("VACUUM ANALYZE inbox");
    database.execute("VACUUM ANALYZE inbox_waiting");
    database.execute(ROWS);
    InboxSql sql = new InboxSql(PostgresOptions.defaults());
    String ofCaller = "SELECT 1;";

    assertThat(plan(planning, ofCaller + sql.keyWaits, "(text, text)", "'billing', 'customer-7'"))
        .satisfies(onlyOn("inbox_waiting_key_idx"));
    assertThat(plan(planning, ofCaller + sql.left, "(uuid)", "gen_random_uuid()"))
        .satisfies(onlyOn("inbox_waiting_pkey"));
    assertThat(
            plan(
                planning,
                sql.look,
                "(text, text, text, text)",
                "'orders-0@7', 'billing', 'billing', 'customer-7'"))
        .satisfies(onlyOn("inbox_pkey", "inbox_waiting_key_idx"));
    assertThat(plan(planning, sql.waiting, "(uuid, bigint, int)", "gen_random_uuid(), 0, 100"))
        .satisfies(onlyOn("inbox_waiting_pkey"));
    assertThat(plan(planning, sql.purge, "(bigint, int)", "0, 100"))
        .satisfies(onlyOn("inbox_processed_idx"))
        .contains("Tid Scan");
  }

  private String plan(String planning, String text, String types, String arguments)
      throws SQLException {
    return Plans.explain("", database, planning, text, types, arguments);
  }

  private CompletableFuture<Entered> enterBeside(InboxEntry entry) {
    return CompletableFuture.supplyAsync(
        () ->
            inbox
                .transactions()
                .<Entered, RuntimeException>call(connection -> inbox.enter(connection, entry)));
  }

  private Connection begin() throws SQLException {
    Connection connection = database.pool().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private static InboxEntry entry(String messageId) {
    return new InboxEntry(messageId, "billing", Optional.of("customer-1"));
  }
}
