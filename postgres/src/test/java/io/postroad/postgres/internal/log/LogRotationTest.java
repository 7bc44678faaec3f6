package io.postroad.postgres.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.store.PurgeResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/** Tables of the log are emptied when all in them is delivered and old, and never before. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class LogRotationTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration RETENTION = Duration.ofDays(7);

  private TestDatabase database;
  private PostgresOrderedStore store;
  private Instant appendersClock = Instant.EPOCH;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("rotation");
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
  void theClockOfTheAppenderDecidesWhichTableIsWritten() throws Exception {
    for (int period = 0; period < 4; period++) {
      append("t" + period);
      appendersClock = appendersClock.plus(PostgresOptions.defaults().logRotation());
    }

    assertThat(rows(0)).containsExactly("t0", "t3");
    assertThat(rows(1)).containsExactly("t1");
    assertThat(rows(2)).containsExactly("t2");
  }

  @Test
  void aTableWhoseMessagesAreDeliveredAndOldIsEmptied() throws Exception {
    append("a", "b");
    appendersClock = appendersClock.plus(PostgresOptions.defaults().logRotation());
    append("c");
    deliverAll();
    assertThat(store.purge(RETENTION, 10)).isEqualTo(PurgeResult.removed(0, false));
    database.advance(RETENTION.minusMinutes(1));
    assertThat(store.purge(RETENTION, 10).messages()).isZero();
    assertThat(rows(0)).hasSize(2);

    database.advance(Duration.ofMinutes(2));

    assertThat(store.purge(RETENTION, 10)).isEqualTo(PurgeResult.removed(3, false));
    assertThat(rows(0)).isEmpty();
    assertThat(rows(1)).isEmpty();
    append("d");
    assertThat(deliverAll()).containsExactly("d");
  }

  @Test
  void oneMessageThatIsNotDeliveredKeepsItsTable() throws Exception {
    append("a");
    deliverAll();
    append("b");
    database.advance(RETENTION.multipliedBy(2));

    assertThat(store.purge(RETENTION, 10).messages()).isZero();
    assertThat(rows(0)).containsExactly("a", "b");
  }

  @Test
  void aLateMessageThatIsNotDeliveredKeepsItsTable() throws Exception {
    try (Connection early = database.pool().getConnection()) {
      early.setAutoCommit(false);
      store.append(early, messages("late"), DAY);
      append("ahead");
      deliverAll();
      early.commit();
    }
    database.advance(RETENTION.multipliedBy(2));

    assertThat(store.purge(RETENTION, 10).messages()).isZero();
    assertThat(rows(0)).containsExactlyInAnyOrder("late", "ahead");
    assertThat(deliverAll()).containsExactly("late");
    assertThat(store.purge(RETENTION, 10).messages()).isEqualTo(2);
  }

  @Test
  void aWindowThatIsOpenKeepsItsTable() throws Exception {
    try (Connection early = database.pool().getConnection()) {
      early.setAutoCommit(false);
      store.append(early, messages("late1", "late2"), DAY);
      append("ahead");
      deliverAll();
      early.commit();
    }
    LaneLease lease = take();
    LaneBatch batch = store.log().read(lease, lease.position(), 10);
    store.log().advance(lease, batch.entries().get(0).position(), List.of());
    database.advance(RETENTION.multipliedBy(2));

    assertThat(store.purge(RETENTION, 10).messages()).isZero();
    assertThat(deliverAll()).containsExactly("late2");
    assertThat(store.purge(RETENTION, 10).messages()).isEqualTo(3);
  }

  @Test
  void anOpenReaderOfTheTableIsNamed() throws Exception {
    append("a");
    deliverAll();
    database.advance(RETENTION.multipliedBy(2));
    appendersClock = appendersClock.plus(PostgresOptions.defaults().logRotation());
    try (Connection reader = database.pool().getConnection();
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("SET LOCAL application_name = 'nightly dump'");
      statement.execute("SELECT count(*) FROM outbox_log_0");

      PurgeResult blocked = store.purge(RETENTION, 10);

      assertThat(blocked.messages()).isZero();
      assertThat(blocked.blockedBy())
          .singleElement()
          .asString()
          .startsWith("outbox_log_0 cannot be emptied: process " + pid(reader) + " (user ")
          .contains("application 'nightly dump', idle in transaction")
          .contains("in a transaction that is open for ");
      reader.rollback();
    }
    assertThat(store.purge(RETENTION, 10)).isEqualTo(PurgeResult.removed(1, false));
  }

  @Test
  void aReaderOfAnotherRoleIsNamedToo() throws Exception {
    append("a");
    deliverAll();
    database.advance(RETENTION.multipliedBy(2));
    appendersClock = appendersClock.plus(PostgresOptions.defaults().logRotation());
    try (HikariDataSource pool = database.servicePool();
        PostgresOrderedStore service =
            PostgresOrderedStore.open(pool, database.options(), () -> appendersClock);
        Connection reader = database.pool().getConnection();
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("SET LOCAL application_name = 'nightly dump'");
      statement.execute("SELECT count(*) FROM outbox_log_0");

      assertThat(service.purge(RETENTION, 10).blockedBy())
          .singleElement()
          .asString()
          .startsWith("outbox_log_0 cannot be emptied: process " + pid(reader) + " (user ")
          .contains("application 'nightly dump') has used it in a transaction that is open;")
          .contains("pg_read_all_stats")
          .doesNotContain("null");
      reader.rollback();
    }
  }

  @Test
  void anOpenWriterOfTheTableIsNamedAndItsMessageIsKept() throws Exception {
    append("a");
    deliverAll();
    database.advance(RETENTION.multipliedBy(2));
    try (Connection writer = database.pool().getConnection()) {
      writer.setAutoCommit(false);
      store.append(writer, messages("b"), DAY);

      assertThat(store.purge(RETENTION, 10).blockedBy())
          .singleElement()
          .asString()
          .contains("process " + pid(writer));
      writer.commit();
    }
    assertThat(store.purge(RETENTION, 10)).isEqualTo(PurgeResult.removed(0, false));
    assertThat(deliverAll()).containsExactly("b");
  }

  /** An appender that queues behind the waiting lock gets through when the wait is given up. */
  @Test
  void appendersAreNotBlockedByARotationThatWaits() throws Exception {
    append("a");
    deliverAll();
    database.advance(RETENTION.multipliedBy(2));
    appendersClock = appendersClock.plus(PostgresOptions.defaults().logRotation());
    try (Connection reader = database.pool().getConnection();
        Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("SELECT count(*) FROM outbox_log_0");
      CompletableFuture<PurgeResult> purge =
          CompletableFuture.supplyAsync(() -> store.purge(RETENTION, 10));
      while (!purge.isDone() && !someoneWaits()) {
        Thread.onSpinWait();
      }
      appendersClock = Instant.EPOCH;

      append("b");

      assertThat(purge.get(60, TimeUnit.SECONDS).messages()).isZero();
      reader.rollback();
    }
    assertThat(deliverAll()).containsExactly("b");
  }

  @Test
  void aSecondRotationAtTheSameTimeLeavesItToTheFirst() throws Exception {
    append("a");
    deliverAll();
    database.advance(RETENTION.multipliedBy(2));
    try (Connection other = database.pool().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(
          "SELECT pg_advisory_xact_lock(hashtextextended('postroad rotation \"public\".\"\"', 0))");

      assertThat(store.purge(RETENTION, 10)).isEqualTo(PurgeResult.removed(0, false));
      other.rollback();
    }
    assertThat(store.purge(RETENTION, 10).messages()).isEqualTo(1);
  }

  @Test
  void aRetentionThatTheTablesCannotKeepIsRefused() {
    assertThatThrownBy(() -> store.purge(Duration.ofDays(8), 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "delivered messages can be kept for one and a half times PostgresOptions.logRotation"
                + " (PT120H), got a retention of PT192H; raise logRotation or keep them shorter");
  }

  @Test
  void oldPositionsAndNodesThatWereNotHeardOfAreRemoved() throws Exception {
    store.lanes().heartbeat("gone", Duration.ofSeconds(10));
    LaneLease lease = take();
    for (int i = 0; i < 40; i++) {
      store.log().advance(lease, lease.position(), List.of());
    }
    store.purge(RETENTION, 10);
    assertThat(database.value("SELECT count(*), max(step) FROM outbox_cursor")).isEqualTo("17|40");
    assertThat(database.value("SELECT count(*) FROM outbox_node")).isEqualTo("1");

    database.advance(Duration.ofHours(2));
    store.purge(RETENTION, 10);

    assertThat(database.value("SELECT count(*) FROM outbox_node")).isEqualTo("0");
  }

  private boolean someoneWaits() throws SQLException {
    return database.value("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)").equals("t");
  }

  private static int pid(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getBackendPID();
  }

  private List<String> rows(int table) throws SQLException {
    return database.rows("SELECT type FROM outbox_log_%d ORDER BY pos".formatted(table));
  }

  private void append(String... types) {
    store.transactions().run(c -> store.append(c, messages(types), DAY));
  }

  private static List<Message> messages(String... types) {
    return List.of(types).stream()
        .map(type -> Message.event(type).to("d").key("k").json("{}").build())
        .toList();
  }

  private LaneLease take() {
    return store.lanes().take(0, "n", Duration.ofMinutes(1)).orElseThrow();
  }

  private List<String> deliverAll() {
    LaneLease lease = take();
    LanePosition position = lease.position();
    List<String> delivered = new ArrayList<>();
    LaneBatch batch;
    do {
      batch = store.log().read(lease, position, 100);
      batch.entries().forEach(entry -> delivered.add(entry.message().type()));
      position = batch.end();
      store.log().advance(lease, position, List.of());
    } while (batch.full());
    return delivered;
  }
}
