package io.postroad.postgres;

import static io.postroad.postgres.CommandSamples.COMPLETED;
import static io.postroad.postgres.CommandSamples.LEASE;
import static io.postroad.postgres.CommandSamples.command;
import static io.postroad.postgres.CommandSamples.taken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.store.CommandStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A handler that never comes back loses its transaction to another thread. */
@Timeout(120)
class CommandAbortTest {
  private static final String FOR_EVER = "SELECT pg_sleep(3600)";

  private static final String RUNNING =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE state = 'active' AND datname = current_database() AND query = ?";

  private TestDatabase database;
  private PostgresCommandStore store;
  private CommandClaim claim;

  @BeforeEach
  void take() throws SQLException {
    database = TestDatabase.migrated("abort");
    database.execute("CREATE TABLE work (n int)");
    store = PostgresCommandStore.open(database.pool(), database.options());
    claim = taken(store, command("T", "key-1"));
  }

  @AfterEach
  void close() {
    store.close();
    database.close();
  }

  @Test
  void whatWaitsForItsThreadIsNeverCommittedAndThePoolHasItsPlaceBack() throws Exception {
    Connection handler = opened(database.pool());

    store.abort(handler);

    assertGone();
    assertThat(database.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
    assertThatThrownBy(handler::commit).isInstanceOf(SQLException.class);
    handler.close();
    assertThat(database.value("SELECT count(*) FROM work")).isEqualTo("0");
  }

  @Test
  void aStatementThatRunsOnTheServerEndsToo() throws Exception {
    for (DataSource dataSource : new DataSource[] {database.pool(), plain()}) {
      Connection handler = opened(dataSource);
      CompletableFuture<Void> runs = CompletableFuture.runAsync(() -> run(handler, FOR_EVER));
      awaitStatement(FOR_EVER);

      store.abort(handler);

      assertGone();
      assertThatThrownBy(() -> runs.get(60, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
      awaitNoStatement(FOR_EVER);
      assertThat(store.release(Set.of(claim))).hasSize(1);
      claim = store.claim("node-1", Set.of("T"), 1, LEASE).get(0);
    }
  }

  @Test
  void aUnitOfWorkWhoseThreadComesBackAfterAllHasFailed() throws Exception {
    CountDownLatch aborted = new CountDownLatch(1);
    CompletableFuture<Connection> began = new CompletableFuture<>();
    CompletableFuture<Void> unit =
        CompletableFuture.runAsync(
            () ->
                store
                    .transactions()
                    .run(
                        connection -> {
                          store.open(connection, claim, CommandSamples.LEASE);
                          run(connection, "INSERT INTO work VALUES (1)");
                          began.complete(connection);
                          await(aborted);
                        }));
    store.abort(began.get(60, TimeUnit.SECONDS));
    aborted.countDown();

    assertThatThrownBy(() -> unit.get(60, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
    assertGone();
    assertThat(database.value("SELECT count(*) FROM work")).isEqualTo("0");
    assertThat(database.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
  }

  @Test
  void whatEndedByItselfIsLeftAloneAndSoIsWhoHasItsConnectionNow() throws Exception {
    Connection handler = opened(database.pool());
    assertThat(store.finish(handler, claim, COMPLETED)).isTrue();
    handler.commit();
    handler.close();
    try (Connection next = database.pool().getConnection()) {
      store.abort(handler);

      assertThat(next.isValid(10)).isTrue();
    }
    assertThat(store.find(claim.id()).orElseThrow().status()).isEqualTo(CommandStatus.COMPLETED);
  }

  /** Another waits for the row's lock and gets it, which is as soon as it can be. */
  private void assertGone() {
    assertThat(store.retry(claim, Duration.ZERO, "timed out")).isTrue();
    claim = store.claim("node-2", Set.of("T"), 1, LEASE).get(0);
  }

  private Connection opened(DataSource dataSource) throws SQLException {
    Connection handler = dataSource.getConnection();
    handler.setAutoCommit(false);
    assertThat(store.open(handler, claim, CommandSamples.LEASE)).isEqualTo(Opening.HELD);
    run(handler, "INSERT INTO work VALUES (1)");
    return handler;
  }

  private DataSource plain() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(database.url());
    return dataSource;
  }

  private void awaitStatement(String text) throws SQLException {
    while (database.value(RUNNING, text).equals("0")) {
      Thread.onSpinWait();
    }
  }

  private void awaitNoStatement(String text) throws SQLException {
    while (!database.value(RUNNING, text).equals("0")) {
      Thread.onSpinWait();
    }
  }

  private static void run(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException left) {
      Thread.currentThread().interrupt();
    }
  }
}
