package io.postroad.postgres.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.admin.BulkProgress;
import io.postroad.message.PostroadException;
import io.postroad.postgres.OldOutboxes;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.spi.LaneEntry;
import io.postroad.spi.LaneLease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Drains that crash, meet each other, or meet the old application. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class DrainSafetyTest {
  private static final DrainMapping TO_ORDERS = DrainMapping.rules().otherwise("orders");
  private static final DrainOptions BY_THREE =
      DrainOptions.defaults().withBatchSize(3).withMinAge(Duration.ZERO);

  private TestDatabase database;
  private OldOutboxes old;
  private PostgresOrderedStore store;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("drain");
    old = new OldOutboxes(database);
    store = database.openOrdered(1);
  }

  @BeforeEach
  void records() throws SQLException {
    database.execute(OldOutboxes.NAMASTACK_1);
    for (int n = 0; n < 10; n++) {
      old.record(n, "k", "NEW");
    }
  }

  @AfterEach
  void reset() throws SQLException {
    database.reset();
    database.execute("DROP TABLE IF EXISTS outbox_record");
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  @Test
  void aCrashInTheSecondBatchLeavesEachEventInOneOfTheTwoAndTheNextRunDoesTheRest()
      throws Exception {
    AtomicInteger mapped = new AtomicInteger();
    DrainMapping crashing =
        row -> {
          if (mapped.incrementAndGet() == 5) {
            throw new OutOfMemoryError("as if");
          }
          return TO_ORDERS.map(row);
        };

    assertThatThrownBy(() -> drain(crashing).run(BulkProgress.SILENT))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(outbox()).as("the first batch").isEqualTo("3");
    assertEachIsInOneOfTheTwo();
    assertThat(drain(TO_ORDERS).run(BulkProgress.SILENT).moved()).isEqualTo(7);
    assertThat(lane()).isEqualTo(payloads(10));
  }

  @Test
  void aConnectionThatDiesBeforeTheCommitLeavesTheBatchWhereItWas() throws Exception {
    AtomicInteger mapped = new AtomicInteger();
    DrainMapping dying =
        row -> {
          if (mapped.incrementAndGet() == 6) {
            killCurrentConnection();
          }
          return TO_ORDERS.map(row);
        };

    assertThatThrownBy(() -> drain(dying).run(BulkProgress.SILENT))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("safe to try again");

    assertThat(outbox()).isEqualTo("3");
    assertEachIsInOneOfTheTwo();
    assertThat(drain(TO_ORDERS).run(BulkProgress.SILENT).moved()).isEqualTo(7);
    assertThat(lane()).isEqualTo(payloads(10));
  }

  @Test
  void rowsThatCannotBeMarkedAreNotAppended() throws Exception {
    database.execute(
        "CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
            + " CREATE TRIGGER keep BEFORE UPDATE ON outbox_record FOR EACH ROW"
            + " WHEN (OLD.payload = '{\"n\":4}') EXECUTE FUNCTION keep()");
    try {
      assertThatThrownBy(() -> drain(TO_ORDERS).run(BulkProgress.SILENT))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("3 rows were to be marked and 2 were");
      assertThat(outbox()).isEqualTo("3");
      assertEachIsInOneOfTheTwo();
    } finally {
      database.execute("DROP FUNCTION keep CASCADE");
    }
  }

  @Test
  void twoDrainsAtOnceMoveEachRowOnceAndInOrder() throws Exception {
    for (int n = 10; n < 200; n++) {
      old.record(n, "k", "NEW");
    }
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CyclicBarrier together = new CyclicBarrier(2);
    List<Future<DrainReport>> running = new ArrayList<>();
    for (String isolation : List.of("read committed", "repeatable read")) {
      PGSimpleDataSource node = new PGSimpleDataSource();
      node.setUrl(database.url());
      node.setOptions("-c default_transaction_isolation=" + isolation.replace(" ", "\\ "));
      running.add(
          threads.submit(
              () -> {
                try (PostgresOrderedStore mine =
                    PostgresOrderedStore.open(node, database.options())) {
                  together.await(60, TimeUnit.SECONDS);
                  return PostgresDrain.into(mine, DrainSource.namastack(), TO_ORDERS)
                      .withOptions(BY_THREE)
                      .run(BulkProgress.SILENT);
                }
              }));
    }
    long moved = 0;
    for (Future<DrainReport> one : running) {
      DrainReport report = one.get(90, TimeUnit.SECONDS);
      moved += report.moved();
      assertThat(report.alreadyThere()).isZero();
    }
    threads.shutdown();

    assertThat(moved).isEqualTo(200);
    assertThat(lane()).isEqualTo(payloads(200));
  }

  @Test
  void aDrainThatSeesOtherRowsWaitsForTheOneThatCameFirst() throws Exception {
    database.update("UPDATE outbox_record SET status = 'FAILED' WHERE payload = '{\"n\":0}'");
    ExecutorService threads = Executors.newSingleThreadExecutor();
    List<Future<DrainReport>> second = new ArrayList<>();
    DrainMapping holding =
        row -> {
          if (second.isEmpty()) {
            second.add(threads.submit(() -> drain(TO_ORDERS).run(BulkProgress.SILENT)));
            awaitEndOrLockWait(second.get(0));
          }
          return TO_ORDERS.map(row);
        };

    drain(holding)
        .withOptions(BY_THREE.withBatchSize(1).withFailedRows(DrainOptions.FailedRows.TAKE))
        .run(BulkProgress.SILENT);

    second.get(0).get(60, TimeUnit.SECONDS);
    threads.shutdown();
    assertThat(lane()).isEqualTo(payloads(10));
  }

  @Test
  void whatTheOldApplicationInsertsMeanwhileIsMovedByALaterRun() throws Exception {
    AtomicInteger next = new AtomicInteger(10);
    BulkProgress inserting =
        done -> {
          try {
            old.record(next.getAndIncrement(), "k", "NEW");
          } catch (SQLException failed) {
            throw new IllegalStateException(failed);
          }
        };

    DrainReport first = drain(TO_ORDERS).run(inserting);

    assertThat(first.moved()).isEqualTo(10);
    assertEachIsInOneOfTheTwo();
    assertThat(drain(TO_ORDERS).run(BulkProgress.SILENT).moved()).isEqualTo(4);
    assertThat(lane()).isEqualTo(payloads(14));
  }

  @Test
  void aRowThatTheOldApplicationIsCompletingIsWaitedForAndNotMoved() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Connection oldNode = database.pool().getConnection()) {
      oldNode.setAutoCommit(false);
      try (PreparedStatement complete =
          oldNode.prepareStatement(
              "UPDATE outbox_record SET status = 'COMPLETED', completed_at = now()"
                  + " WHERE payload = '{\"n\":1}'")) {
        complete.executeUpdate();
      }
      Future<DrainReport> draining =
          threads.submit(() -> drain(TO_ORDERS).run(BulkProgress.SILENT));
      database.awaitLockWait();
      oldNode.commit();
      oldNode.setAutoCommit(true);

      assertThat(draining.get(60, TimeUnit.SECONDS).moved()).isEqualTo(9);
    }
    threads.shutdown();
    List<String> all = new ArrayList<>(payloads(10));
    all.remove("{\"n\":1}");
    assertThat(lane()).isEqualTo(all);
  }

  @Test
  void aDrainInsideATransactionIsRefused() throws Exception {
    store
        .transactions()
        .run(
            connection ->
                assertThatThrownBy(() -> drain(TO_ORDERS).run(BulkProgress.SILENT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("batch by batch"));
    assertThat(outbox()).isEqualTo("0");
  }

  @Test
  void aRoleWithoutRightsOnTheTableIsToldWhichItNeeds() throws Exception {
    try (TestDatabase own = TestDatabase.migrated("drain_rights")) {
      own.execute(OldOutboxes.NAMASTACK_1);
      new OldOutboxes(own).record(1, "k", "NEW");
      try (HikariDataSource service = own.servicePool();
          PostgresCompetingStore limited = PostgresCompetingStore.open(service, own.options())) {
        PostgresDrain drain = PostgresDrain.into(limited, DrainSource.namastack(), TO_ORDERS);
        assertThatThrownBy(() -> drain.run(BulkProgress.SILENT))
            .isInstanceOf(PostroadException.class)
            .hasMessageContaining("GRANT SELECT, UPDATE");

        own.execute("GRANT SELECT, UPDATE ON outbox_record TO PUBLIC");
        assertThat(drain.run(BulkProgress.SILENT).moved()).isEqualTo(1);
      }
    }
  }

  private PostgresDrain drain(DrainMapping mapping) {
    return PostgresDrain.into(store, DrainSource.namastack(), mapping).withOptions(BY_THREE);
  }

  private void killCurrentConnection() {
    Connection current = store.transactions().current().orElseThrow();
    try (PreparedStatement statement = current.prepareStatement("SELECT pg_backend_pid()");
        ResultSet row = statement.executeQuery()) {
      row.next();
      database.rows("SELECT pg_terminate_backend(?)", row.getInt(1));
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private void awaitEndOrLockWait(Future<?> running) {
    String waiting =
        "SELECT count(*) FROM pg_stat_activity"
            + " WHERE wait_event_type = 'Lock' AND datname = current_database()";
    try {
      while (!running.isDone() && database.value(waiting).equals("0")) {
        Thread.onSpinWait();
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private void assertEachIsInOneOfTheTwo() throws SQLException {
    assertThat(
            database.rows(
                "SELECT r.id FROM outbox_record AS r"
                    + " WHERE (r.status = 'NEW') = EXISTS (SELECT 1 FROM outbox_log AS l"
                    + "   WHERE l.outbox_id = r.id::uuid)"))
        .isEmpty();
  }

  private String outbox() throws SQLException {
    return database.value("SELECT count(*) FROM outbox_log");
  }

  private static List<String> payloads(int count) {
    return IntStream.range(0, count).mapToObj("{\"n\":%d}"::formatted).toList();
  }

  private List<String> lane() {
    LaneLease lease = store.lanes().take(0, "reader", Duration.ofMinutes(1)).orElseThrow();
    return store.log().read(lease, lease.position(), 1_000).entries().stream()
        .map(LaneEntry::message)
        .map(message -> message.payload().text().orElse(""))
        .toList();
  }
}
