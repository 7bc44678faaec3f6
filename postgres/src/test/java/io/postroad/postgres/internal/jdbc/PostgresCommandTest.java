package io.postroad.postgres.internal.jdbc;

import static io.postroad.postgres.CommandSamples.COMPLETED;
import static io.postroad.postgres.CommandSamples.LEASE;
import static io.postroad.postgres.CommandSamples.accept;
import static io.postroad.postgres.CommandSamples.command;
import static io.postroad.postgres.CommandSamples.taken;
import static io.postroad.postgres.CommandSamples.within;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.postgres.TestDatabase;
import io.postroad.postgres.internal.command.CommandSql;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandEnds.Opening;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.CommandQueue.Acceptance;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What PostgreSQL brings into commands: snapshots, locks, row versions and SQLSTATEs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class PostgresCommandTest {
  private TestDatabase database;
  private PostgresCommandStore store;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("command");
    store = PostgresCommandStore.open(database.pool(), database.options());
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

  @Test
  void whoWaitedForAnotherThatCommittedGetsItsCommand() throws Exception {
    NewCommand winner = command("T", "key-1");
    try (Connection first = begin()) {
      assertThat(store.accept(first, winner).isNew()).isTrue();
      CompletableFuture<Acceptance> second =
          CompletableFuture.supplyAsync(() -> accept(store, command("T", "key-1")));
      database.awaitLockWait();
      first.commit();

      Acceptance met = second.get(60, TimeUnit.SECONDS);
      assertThat(met.isNew()).isFalse();
      assertThat(met.command().id()).isEqualTo(winner.id());
    }
  }

  @Test
  void underRepeatableReadWhoCannotSeeTheWinnerIsToldToRepeat() throws Exception {
    try (Connection late = begin()) {
      late.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      assertThat(store.accept(late, command("T", "key-0")).isNew()).isTrue();
      accept(store, command("T", "key-1"));

      assertThatThrownBy(() -> store.accept(late, command("T", "key-1")))
          .isInstanceOf(PostroadException.class)
          .cause()
          .extracting("SQLState")
          .isEqualTo("40001");
      late.rollback();
      late.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    }
  }

  @Test
  void theSettingsOfTheCallersTransactionStayAsTheyAre() throws Exception {
    CommandClaim claim = taken(store, command("T", "key-1"));
    NewCommand other = command("T", "key-2");
    try (Connection connection = begin()) {
      store.accept(connection, other);
      store.open(connection, claim, LEASE);
      store.finish(connection, claim, COMPLETED);
      store.cancel(connection, other.id(), COMPLETED);
      store.reply(connection, other.id(), COMPLETED);
      store.expire(connection, COMPLETED, 10, List.of());

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
  void aTimeOutsideTheCalendarIsRefusedBeforeAnythingIsWritten() throws Exception {
    NewCommand plain = command("T", "key-1");
    NewCommand never =
        new NewCommand(
            plain.id(),
            plain.type(),
            plain.idempotencyKey(),
            plain.businessKey(),
            new NewCommand.Body(plain.payload(), plain.fingerprint(), Map.of()),
            new NewCommand.Route(plain.correlationId(), Optional.empty(), Optional.empty()),
            new NewCommand.Times(Optional.of(Instant.MAX), Optional.empty(), false));
    try (Connection connection = begin()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.accept(connection, never))
          .withMessageContaining("notBefore of command " + plain.id());
      assertThat(store.accept(connection, plain).isNew()).as("it can go on").isTrue();
      connection.rollback();
    }
  }

  @Test
  void aTypeIsTakenWhileSomebodyChangesAllTheOlderOnesOfAnother() throws Exception {
    accept(store, command("A", "key-1"));
    accept(store, command("A", "key-2"));
    database.advance(Duration.ofSeconds(1));
    accept(store, command("B", "key-3"));
    accept(store, command("B", "key-4"));
    try (Connection other = begin();
        Statement statement = other.createStatement()) {
      statement.execute("SELECT 1 FROM command WHERE type = 'A' FOR UPDATE");

      assertThat(keys(store.claim("node-1", Set.of("A", "B"), 2, LEASE))).containsExactly("key-3");
      other.rollback();
    }
    assertThat(keys(store.claim("node-1", Set.of("A", "B"), 2, LEASE)))
        .containsExactly("key-1", "key-2");
  }

  @Test
  void aTakenCommandKeepsItsTurnWhenItIsReleased() throws Exception {
    CommandClaim first = taken(store, command("T", "key-1"));
    database.advance(Duration.ofSeconds(1));
    accept(store, command("T", "key-2"));

    assertThat(store.release(List.of(first))).containsExactly(first.id());

    assertThat(keys(store.claim("node-1", Set.of("T"), 10, LEASE)))
        .containsExactly("key-1", "key-2");
  }

  @Test
  void expireAndPurgePassByWhatAnotherNodeIsChanging() throws Exception {
    StoredCommand late = accept(store, within("key-1", Duration.ofSeconds(1))).command();
    accept(store, within("key-2", Duration.ofSeconds(1)));
    database.advance(Duration.ofDays(1));
    try (Connection other = begin()) {
      assertThat(store.cancel(other, late.id(), COMPLETED)).isPresent();
      assertThat(expire(10)).extracting(c -> c.command().idempotencyKey()).containsExactly("key-2");
      other.rollback();
    }
    assertThat(expire(10)).hasSize(1);
    database.advance(Duration.ofDays(1));
    try (Connection other = begin();
        Statement statement = other.createStatement()) {
      statement.execute("SELECT 1 FROM command WHERE idempotency_key = 'key-1' FOR UPDATE");
      assertThat(store.purge(Duration.ofHours(1), 10)).isEqualTo(1);
      other.rollback();
    }
    assertThat(store.purge(Duration.ofHours(1), 10)).isEqualTo(1);
  }

  @Test
  void cancelWaitsForAHandlerWhoseLeaseIsOverAndThenFindsItEnded() throws Exception {
    CommandClaim claim = taken(store, command("T", "key-1"));
    database.advance(LEASE.plusSeconds(1));
    try (Connection handler = begin()) {
      assertThat(store.open(handler, claim, LEASE)).isEqualTo(Opening.HELD);
      CompletableFuture<Optional<StoredCommand>> cancelled =
          CompletableFuture.supplyAsync(
              () ->
                  store
                      .transactions()
                      .<Optional<StoredCommand>, RuntimeException>call(
                          connection -> store.cancel(connection, claim.id(), COMPLETED)));
      database.awaitLockWait();
      assertThat(store.finish(handler, claim, COMPLETED)).isTrue();
      handler.commit();

      assertThat(cancelled.get(60, TimeUnit.SECONDS)).isEmpty();
    }
  }

  @Test
  void anErrorThatPostgresqlCannotHoldIsKeptWithoutItsOddCharacters() {
    CommandClaim claim = taken(store, command("T", "key-1"));
    assertThat(store.retry(claim, Duration.ZERO, "a\0b\ud800")).isTrue();
    assertThat(store.find(claim.id()).orElseThrow().lastError()).contains("a b?");

    CommandClaim again = store.claim("node-1", Set.of("T"), 1, LEASE).get(0);
    boolean finished =
        store
            .transactions()
            .<Boolean, RuntimeException>call(
                c -> store.finish(c, again, CommandOutcome.failed("BUSINESS", "\0")));
    assertThat(finished).isTrue();
  }

  @Test
  void aRowThatSomebodySpoiltFailsAndHoldsUpNobody() throws Exception {
    accept(store, command("T", "spoilt"));
    accept(store, command("T", "sound"));
    database.execute("UPDATE command SET headers = 'x' WHERE idempotency_key = 'spoilt'");

    assertThat(keys(store.claim("node-1", Set.of("T"), 10, LEASE))).containsExactly("sound");

    assertThat(
            database.value(
                "SELECT status, outcome_code FROM command WHERE idempotency_key = 'spoilt'"))
        .isEqualTo("FAILED|UNREADABLE");
  }

  /** Every index entry less is a page less to write and to log. */
  @Test
  void aClaimLeavesTheIndexesAlone() throws Exception {
    for (int i = 0; i < 100; i++) {
      accept(store, command("T", "key-" + i));
    }
    CommandSql sql = new CommandSql(database.options());
    String[] settingsAndClaim = sql.claim.split(";", 2);
    try (Connection connection = begin();
        var statement = connection.prepareStatement(settingsAndClaim[1])) {
      // What the connection did before and has not reported yet is among the counts.
      long updatedBefore = count(connection, "updated");
      long hotBefore = count(connection, "hot_updated");
      new Parameters(statement)
          .add(100)
          .addTexts(Set.of("T"))
          .add(100)
          .add(100)
          .add("node-1")
          .add(1_000_000L);
      statement.executeQuery().close();

      assertThat(count(connection, "updated") - updatedBefore).isEqualTo(100);
      assertThat(count(connection, "hot_updated") - hotBefore)
          .as("without an index entry")
          .isGreaterThanOrEqualTo(85);
      connection.rollback();
    }
  }

  private static long count(Connection connection, String what) throws SQLException {
    try (Statement asked = connection.createStatement();
        ResultSet row =
            asked.executeQuery(
                "SELECT pg_stat_get_xact_tuples_%s('command'::regclass)".formatted(what))) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void aSignalReachesOtherNodes() throws Exception {
    Semaphore heard = new Semaphore(0);
    try (PostgresCommandStore there =
            PostgresCommandStore.open(database.pool(), database.options());
        var subscription = there.wakeUps().subscribe(heard::release)) {
      do {
        store.wakeUps().signal();
      } while (!heard.tryAcquire(100, TimeUnit.MILLISECONDS));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "40001", "40P01", "55P03", "08000", "08001", "08003", "08006", "57P01", "57P02", "57P03",
        "25P03", "53000", "53100", "53200", "53300", "25006"
      })
  void whatMayBeGoneAtTheNextAttemptIsTransient(String state) {
    assertThat(store.isTransient(new SQLException("x", state))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "40000", "40002", "40003", "23505", "23503", "22001", "22P02", "25P02", "25001",
        "28P01", "3F000", "42501", "42601", "42P01", "54000", "55000", "55006", "57000", "57014",
        "58030", "P0001", "XX000"
      })
  void whatStaysIsNot(String state) {
    assertThat(store.isTransient(new SQLException("x", state))).isFalse();
  }

  @Test
  void transientIsWhatAPoolSaysAndNeverACause() {
    SQLException conflict = new SQLException("x", "40001");

    assertThat(store.isTransient(new SQLTransientConnectionException("no connection"))).isTrue();
    assertThat(store.isTransient(new SQLRecoverableException("gone"))).isTrue();
    assertThat(store.isTransient(new SQLTimeoutException("too slow"))).isFalse();
    assertThat(store.isTransient(new SQLException("no state"))).isFalse();
    assertThat(store.isTransient(new IllegalStateException(conflict))).isFalse();
    assertThat(store.isTransient(new PostroadException("x", conflict))).isFalse();
  }

  @Test
  void aRealDeadlockIsTransient() throws Exception {
    accept(store, command("T", "key-1"));
    accept(store, command("T", "key-2"));
    String lock = "SELECT 1 FROM command WHERE idempotency_key = '%s' FOR UPDATE";
    List<SQLException> failures = new ArrayList<>();
    try (Connection one = begin();
        Connection two = begin()) {
      execute(one, lock.formatted("key-1"));
      execute(two, lock.formatted("key-2"));
      CompletableFuture<Optional<SQLException>> crossed =
          CompletableFuture.supplyAsync(() -> failure(one, lock.formatted("key-2")));
      database.awaitLockWait();
      failure(two, lock.formatted("key-1")).ifPresent(failures::add);
      two.rollback();
      crossed.get(60, TimeUnit.SECONDS).ifPresent(failures::add);
      one.rollback();
    }
    assertThat(failures).hasSize(1).allMatch(store::isTransient);
  }

  private static Optional<SQLException> failure(Connection connection, String sql) {
    try {
      execute(connection, sql);
      return Optional.empty();
    } catch (SQLException failed) {
      return Optional.of(failed);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<StoredCommand> expire(int limit) {
    return store
        .transactions()
        .<List<StoredCommand>, RuntimeException>call(
            connection ->
                store.expire(connection, CommandOutcome.timedOut("late"), limit, List.of()));
  }

  private static List<String> keys(List<CommandClaim> claims) {
    return claims.stream().map(claim -> claim.command().idempotencyKey()).toList();
  }

  private Connection begin() throws SQLException {
    Connection connection = database.pool().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }
}
