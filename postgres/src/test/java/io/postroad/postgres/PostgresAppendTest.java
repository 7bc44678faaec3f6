package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.store.AppendResult;
import io.postroad.store.StoredMessage;
import io.postroad.transaction.NoTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Appending on a user's JDBC connection. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class PostgresAppendTest {
  private static final Duration WEEK = Duration.ofDays(7);

  private TestDatabase database;
  private PostgresCompetingStore store;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("append");
    store = database.open();
  }

  @BeforeEach
  void reset() throws SQLException {
    database.reset();
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  @Test
  void appendInAutocommitIsRefusedWithWhatToDoAndWritesNothing() throws Exception {
    try (Connection connection = database.pool().getConnection()) {
      assertThatThrownBy(() -> store.append(connection, List.of(message("a")), WEEK))
          .isInstanceOf(NoTransactionException.class)
          .hasMessageContaining("autocommit")
          .hasMessageContaining("setAutoCommit(false)");
    }
    assertThat(rows()).isZero();
    assertThat(database.value("SELECT count(*) FROM outbox_dedup")).isEqualTo("0");
  }

  @Test
  void appendOnAClosedConnectionIsRefused() throws Exception {
    Connection connection = database.pool().getConnection();
    connection.close();

    assertThatThrownBy(() -> store.append(connection, List.of(message("a")), WEEK))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void anIdThatIsTakenLeavesNothingOfTheCallAndTheTransactionUsable() throws Exception {
    Message first = message("first");
    store.transactions().run(c -> store.append(c, List.of(first), WEEK));
    Message sameId = Message.event("T").id(first.id()).to("d").json("{}").build();
    Message beside = message("beside");
    Message after = message("after");

    store
        .transactions()
        .run(
            connection -> {
              assertThatThrownBy(() -> store.append(connection, List.of(beside, sameId), WEEK))
                  .isInstanceOf(PostroadException.class)
                  .hasMessageContaining(first.id().toString());
              assertThatThrownBy(() -> store.append(connection, List.of(sameId), WEEK))
                  .isInstanceOf(PostroadException.class);
              store.append(connection, List.of(after), WEEK);
            });

    assertThat(database.rows("SELECT outbox_id FROM outbox_queue"))
        .containsExactlyInAnyOrder(first.id().toString(), after.id().toString());
    assertThat(database.rows("SELECT dedup_key FROM outbox_dedup"))
        .containsExactlyInAnyOrder("first", "after");
  }

  @Test
  void ofManyWithOneKeyAtOnceOneIsAppendedAndTheOthersAnswerItsId() throws Exception {
    int callers = 16;
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    CyclicBarrier together = new CyclicBarrier(callers);
    List<Future<AppendResult>> running = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      running.add(
          threads.submit(
              () -> {
                together.await(60, TimeUnit.SECONDS);
                return store
                    .transactions()
                    .<AppendResult, RuntimeException>call(
                        c -> store.append(c, List.of(message("one key")), WEEK).get(0));
              }));
    }
    List<AppendResult> results = new ArrayList<>();
    for (Future<AppendResult> one : running) {
      results.add(one.get(60, TimeUnit.SECONDS));
    }
    threads.shutdown();

    assertThat(results).filteredOn(AppendResult.Appended.class::isInstance).hasSize(1);
    assertThat(results).extracting(AppendResult::id).containsOnly(results.get(0).id());
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void underRepeatableReadAKeyTakenMeanwhileIsASerializationFailure() throws Exception {
    try (Connection connection = database.pool().getConnection()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.createStatement().executeQuery("SELECT 1 FROM outbox_dedup").close();
      store.transactions().run(c -> store.append(c, List.of(message("key")), WEEK));

      assertThatThrownBy(() -> store.append(connection, List.of(message("key")), WEEK))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("try again")
          .rootCause()
          .extracting(cause -> ((SQLException) cause).getSQLState())
          .isEqualTo("40001");
      connection.rollback();
    }
  }

  @Test
  void aSessionTimeZoneShiftsNoTime() throws Exception {
    PGSimpleDataSource tokyo = new PGSimpleDataSource();
    tokyo.setUrl(database.url());
    tokyo.setOptions("-c TimeZone=Asia/Tokyo");
    try (PostgresCompetingStore there = PostgresCompetingStore.open(tokyo, database.options())) {
      Instant due = Instant.parse("2001-02-03T04:05:06.123456Z");
      Message one = Message.event("T").to("d").json("{}").notBefore(due).build();
      Message two = Message.event("T").to("d").json("{}").notBefore(due.plusNanos(1)).build();
      Message three = Message.event("T").to("d").json("{}").build();
      Instant before = store.now();
      there.transactions().run(c -> there.append(c, List.of(one), WEEK));
      there.transactions().run(c -> there.append(c, List.of(two, three), WEEK));

      StoredMessage stored = store.find(one.id()).orElseThrow();
      assertThat(stored.message()).isEqualTo(one);
      assertThat(there.find(one.id())).contains(stored);
      assertThat(stored.appendedAt()).isBetween(before, store.now());
      assertThat(store.find(two.id()).orElseThrow().message().notBefore())
          .as("rounded up to what the column holds")
          .contains(due.plusNanos(1_000));
      assertThat(there.claim(new ClaimRequest("tokyo", 10, Duration.ofHours(1))))
          .extracting(Claim::id)
          .containsExactlyInAnyOrder(one.id(), two.id(), three.id());
      assertThat(store.find(one.id()).orElseThrow().dueAt())
          .isBetween(before.plus(Duration.ofHours(1)), store.now().plus(Duration.ofHours(1)));
    }
  }

  @Test
  void aDueTimeOutsideTheCalendarIsRefusedBeforeAnythingIsWritten() throws Exception {
    Message never =
        Message.event("T")
            .to("d")
            .deduplicationKey("never")
            .json("{}")
            .notBefore(Instant.MAX)
            .build();

    store
        .transactions()
        .run(
            connection ->
                assertThatThrownBy(
                        () -> store.append(connection, List.of(message("a"), never), WEEK))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("notBefore of message " + never.id()));

    assertThat(rows()).isZero();
    assertThat(database.value("SELECT count(*) FROM outbox_dedup")).isEqualTo("0");
  }

  @Test
  void appendDoesNotDependOnTheSearchPath() throws Exception {
    List<Message> many = List.of(message("a"), message("b"), plain(), plain());
    try (Connection connection = database.pool().getConnection()) {
      connection.setAutoCommit(false);
      connection.createStatement().execute("SET LOCAL search_path TO pg_temp");

      store.append(connection, List.of(plain()), WEEK);
      store.append(connection, many, WEEK);
      connection.commit();
    }
    assertThat(rows()).isEqualTo(5);
  }

  private long rows() throws SQLException {
    return Long.parseLong(database.value("SELECT count(*) FROM outbox_queue"));
  }

  private static Message plain() {
    return Message.event("T").to("d").json("{}").build();
  }

  private static Message message(String key) {
    return Message.event("T")
        .id(UUID.randomUUID())
        .to("d")
        .deduplicationKey(key)
        .json("{}")
        .build();
  }
}
