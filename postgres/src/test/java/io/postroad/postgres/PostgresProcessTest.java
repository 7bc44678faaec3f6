package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.MessageIds;
import io.postroad.spi.process.ProcessIdentity;
import io.postroad.spi.process.ProcessLogEntry;
import io.postroad.spi.process.ProcessSummary;
import io.postroad.spi.process.StoredProcess;
import io.postroad.spi.process.StoredProcesses.Locked;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Checks locks, clocks and row versions of processes on PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class PostgresProcessTest {
  private TestDatabase database;
  private PostgresProcessStore store;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("process");
    store = PostgresProcessStore.open(database.pool(), database.options());
  }

  @BeforeEach
  void empty() throws SQLException {
    database.reset();
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  /** Otherwise the entries of a log might not be in the order of their times. */
  @Test
  void aLockTellsTheTimeAtWhichItWasGot() throws Exception {
    StoredProcess process = started("p");
    try (Connection first = begin()) {
      assertThat(store.processes().lock(first, process.id())).isPresent();
      CompletableFuture<Instant> second =
          CompletableFuture.supplyAsync(
              () ->
                  store
                      .transactions()
                      .<Instant, RuntimeException>call(
                          transaction ->
                              store
                                  .processes()
                                  .lock(transaction, process.id())
                                  .orElseThrow()
                                  .now()));
      database.awaitLockWait();
      Instant waiting = clock();
      first.rollback();

      assertThat(second.get(60, TimeUnit.SECONDS)).isAfterOrEqualTo(waiting);
    }
  }

  private Instant clock() throws SQLException {
    try (Connection connection = database.pool().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT clock_timestamp()")) {
      row.next();
      return row.getObject(1, OffsetDateTime.class).toInstant();
    }
  }

  @Test
  void aStartWaitsForTheTransactionThatEndsTheProcessWithItsKey() throws Exception {
    StoredProcess process = started("p");
    try (Connection first = begin()) {
      save(first, process, "SUCCEEDED", false, Optional.empty());
      CompletableFuture<Optional<UUID>> second =
          CompletableFuture.supplyAsync(() -> start(process("p")));
      database.awaitLockWait();
      first.commit();

      assertThat(second.get(60, TimeUnit.SECONDS)).isEmpty();
    }
  }

  /** Then it writes to no index, and what it leaves behind is cleaned up without a vacuum. */
  @Test
  void anOrdinaryStepIsAHeapOnlyUpdate() throws Exception {
    StoredProcess process = started("p");
    try (Connection step = begin()) {
      long updates = updates(step, "n_tup_upd");
      long withinThePage = updates(step, "n_tup_hot_upd");

      save(step, process, "RUNNING", true, Optional.empty());

      assertThat(updates(step, "n_tup_upd")).isEqualTo(updates + 1);
      assertThat(updates(step, "n_tup_hot_upd")).isEqualTo(withinThePage + 1);
      step.rollback();
    }
  }

  /** Of this transaction, and of earlier ones of its session that were not added up yet. */
  private static long updates(Connection connection, String which) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT %s FROM pg_stat_xact_user_tables WHERE relname = 'process_instance'"
                    .formatted(which))) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void theQueriesOfTheGuideRun() throws Exception {
    StoredProcess process = started("payment-1");

    assertThat(
            database.rows(
                """
                SELECT process_id, process_type, business_key, status, current_step, data, retries,
                  created_at = updated_at
                FROM process_instance
                WHERE business_key = 'payment-1'
                """))
        .containsExactly(process.id() + "|Payment|payment-1|RUNNING|BookLimits|{}|0|t");
    assertThat(
            database.rows(
                """
                SELECT event_type, step_name, event_data
                FROM process_log
                WHERE process_id = ? AND log_id IS NOT NULL
                ORDER BY created_at
                """,
                process.id()))
        .containsExactly("ProcessStarted|null|{}");
  }

  private void save(
      Connection transaction,
      StoredProcess process,
      String status,
      boolean active,
      Optional<Instant> due) {
    Locked locked = store.processes().lock(transaction, process.id()).orElseThrow();
    StoredProcess next =
        new StoredProcess(
            process.identity(),
            new ProcessSummary(
                status, active, false, "BookFx", 1, Optional.empty(), Optional.empty()),
            "{\"n\":1}",
            "{\"at\":2}",
            due,
            2,
            locked.now());
    store.processes().save(transaction, next, List.of(entry(next)));
  }

  private StoredProcess started(String key) {
    StoredProcess process = process(key);
    assertThat(start(process)).isEmpty();
    return process;
  }

  private Optional<UUID> start(StoredProcess process) {
    return store
        .transactions()
        .<Optional<UUID>, RuntimeException>call(
            transaction -> store.processes().start(transaction, process, List.of(entry(process))));
  }

  private StoredProcess process(String key) {
    Instant now = store.now();
    return new StoredProcess(
        new ProcessIdentity(MessageIds.next(), "Payment", key, true, "hash", now),
        new ProcessSummary(
            "RUNNING", true, false, "BookLimits", 0, Optional.empty(), Optional.empty()),
        "{}",
        "{}",
        Optional.empty(),
        1,
        now);
  }

  private static ProcessLogEntry entry(StoredProcess process) {
    return new ProcessLogEntry(
        MessageIds.next(),
        process.id(),
        process.lastSeq(),
        "ProcessStarted",
        Optional.empty(),
        "{}",
        process.updatedAt());
  }

  private Connection begin() throws SQLException {
    Connection connection = database.pool().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }
}
