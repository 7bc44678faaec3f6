package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.layout.Layouts;
import io.postroad.schema.SchemaException;
import io.postroad.schema.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A table is adopted while its team works on it. */
@Timeout(120)
class AdoptionUnderLoadTest {
  private static final String INSERT =
      """
      INSERT INTO outbox_event (
        id, aggregate_type, aggregate_id, event_type, topic, partition_key, payload)
      VALUES (gen_random_uuid(), 'P', 'p', 'T', 'd', 'k', '{}')
      """;
  private static final String WAITING_FOR_THE_TABLE =
      "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"
          + " AND relation = 'outbox_event'::regclass";
  private static final String COLUMNS =
      "SELECT count(*) FROM information_schema.columns WHERE table_name = 'outbox_event'";
  private static final String INVALID =
      "SELECT count(*) FROM pg_index WHERE indrelid = 'outbox_event'::regclass AND NOT indisvalid";

  @SuppressWarnings("NullAway.Init")
  private TestDatabase database;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.empty("adopt_load");
    database.execute(AdoptedTables.PAYMENT_OUTBOX.ddl());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private PostgresOptions options() {
    return database.options().withPrefix("postroad_").withSchemaMode(SchemaMode.MIGRATE);
  }

  private CompletableFuture<Void> adopting() {
    return CompletableFuture.runAsync(
        () ->
            PostgresCompetingStore.open(database.pool(), options(), Layouts.paymentOutbox())
                .close());
  }

  private void await(String count) throws SQLException {
    while (database.value(count).equals("0")) {
      Thread.onSpinWait();
    }
  }

  /** A transaction that has read the table, and so keeps its columns as they are. */
  private Connection reader() throws SQLException {
    Connection reader = database.pool().getConnection();
    reader.setAutoCommit(false);
    try (Statement statement = reader.createStatement()) {
      statement.execute("SET application_name = 'nightly-report'");
      statement.execute("SELECT count(*) FROM outbox_event");
    }
    return reader;
  }

  /** The limit of the insert is far above a try, and below what it waited before. */
  @Test
  void insertsGoOnWhileTheAdoptionWaitsForAReader() throws Exception {
    CompletableFuture<Void> adopting;
    try (Connection reader = reader()) {
      adopting = adopting();
      for (int i = 0; i < 5; i++) {
        await(WAITING_FOR_THE_TABLE);
        database.execute("BEGIN; SET LOCAL lock_timeout = '4s'; " + INSERT + "; COMMIT");
      }
      assertThat(adopting).isNotDone();
      reader.rollback();
    }
    adopting.get(60, TimeUnit.SECONDS);
    assertThat(database.value("SELECT count(*) FROM outbox_event")).isEqualTo("5");
  }

  @Test
  void anAdoptionThatCannotHaveTheTableNamesWhoHoldsItAndChangesNothing() throws Exception {
    String before = database.value(COLUMNS);
    try (Connection reader = reader()) {
      AdoptedSchema schema =
          new AdoptedSchema(
              database.pool(), options(), Layouts.paymentOutbox(), Duration.ofMillis(1));

      assertThatThrownBy(schema::migrate)
          .isInstanceOf(SchemaException.class)
          .hasMessageContaining("table public.outbox_event")
          .hasMessageContaining("'nightly-report'")
          .hasMessageContaining("pg_terminate_backend")
          .hasMessageContaining("nothing in it was changed");
      assertThat(database.value(COLUMNS)).isEqualTo(before);
      reader.rollback();
    }
    adopting().get(60, TimeUnit.SECONDS);
  }

  /** Whose snapshot the making of an index waits for, in any table. */
  private Connection oldSnapshot() throws SQLException {
    Connection old = database.pool().getConnection();
    old.setAutoCommit(false);
    try (Statement statement = old.createStatement()) {
      statement.execute("SET application_name = 'old-snapshot'");
      statement.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      statement.execute("SELECT count(*) FROM test_clock");
    }
    return old;
  }

  @Test
  void anIndexMayTakeLongerThanEveryTimeOutAndTheLogSaysWhatItWaitsFor() throws Exception {
    database.execute(
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = ''2s''',"
            + " current_database()); END $$");
    CompletableFuture<Void> adopting;
    try (LogLines lines = new LogLines();
        Connection old = oldSnapshot()) {
      adopting =
          CompletableFuture.runAsync(
              () ->
                  PostgresCompetingStore.open(
                          database.pool(),
                          options().withStatementTimeout(Duration.ofSeconds(1)),
                          Layouts.paymentOutbox())
                      .close());
      while (lines.with("'old-snapshot'").size() < 3 && !adopting.isDone()) {
        Thread.onSpinWait();
      }
      assertThat(adopting).isNotDone();
      old.rollback();
    }
    adopting.get(60, TimeUnit.SECONDS);
    assertThat(database.value(INVALID)).isEqualTo("0");
  }

  @Test
  void anIndexThatACrashLeftIsDroppedAndMadeAgain() throws Exception {
    try (Connection old = oldSnapshot()) {
      CompletableFuture<Void> adopting = adopting();
      await(
          "SELECT count(*) FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting for old%'");
      database.rows(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_progress_create_index"
              + " WHERE datname = current_database()");
      assertThatThrownBy(adopting::join).isInstanceOf(CompletionException.class);
      assertThat(database.value(INVALID)).isEqualTo("1");
      old.rollback();
    }

    adopting().get(60, TimeUnit.SECONDS);

    assertThat(database.value(INVALID)).isEqualTo("0");
    assertThat(indexes()).doesNotHaveDuplicates();
  }

  /** An operator cancels the statement; the connection lives on. */
  @Test
  void anIndexThatFailsIsDroppedAtOnce() throws Exception {
    try (Connection old = oldSnapshot()) {
      CompletableFuture<Void> adopting = adopting();
      await(
          "SELECT count(*) FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting for old%'");
      database.rows(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_progress_create_index"
              + " WHERE datname = current_database()");
      assertThatThrownBy(adopting::join).isInstanceOf(CompletionException.class);
      assertThat(database.value(INVALID)).isEqualTo("0");
      old.rollback();
    }
    adopting().get(60, TimeUnit.SECONDS);
  }

  @Test
  void theConnectionGoesBackWithTheTimeOutsItCameWith() throws Exception {
    try (HikariDataSource single = new HikariDataSource()) {
      single.setJdbcUrl(database.url());
      single.setMaximumPoolSize(1);
      single.setConnectionInitSql("SET statement_timeout = '7s'; SET lock_timeout = '3s'");

      PostgresCompetingStore.open(single, options(), Layouts.paymentOutbox()).close();

      assertThat(
              TestDatabase.rows(
                  single,
                  "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')"))
          .containsExactly("7s|3s");
    }
  }

  private List<String> indexes() throws SQLException {
    return database.rows("SELECT indexdef FROM pg_indexes WHERE tablename = 'outbox_event'");
  }
}
