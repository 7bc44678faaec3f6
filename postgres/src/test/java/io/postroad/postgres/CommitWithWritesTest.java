package io.postroad.postgres;

import static io.postroad.postgres.CommandSamples.COMPLETED;
import static io.postroad.postgres.CommandSamples.LEASE;
import static io.postroad.postgres.CommandSamples.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.PostroadException;
import io.postroad.spi.ChangedMeanwhileException;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.NewCommand;
import io.postroad.store.CommandStatus;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** A commit that goes to the server with the last writes of its unit, whatever the driver does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class CommitWithWritesTest {
  /** More than the driver needs to have a statement prepared, and the server to keep its plan. */
  private static final int OFTEN = 14;

  private TestDatabase database;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("commit_with_writes");
    database.execute(
        "CREATE TABLE thing (name text, kind int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
  }

  @BeforeEach
  void empty() throws SQLException {
    database.reset();
    database.execute("TRUNCATE thing");
  }

  @AfterAll
  void close() {
    database.close();
  }

  private HikariDataSource pool(String setting) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    if (!setting.isEmpty()) {
      String[] parts = setting.split("=", 2);
      config.addDataSourceProperty(parts[0], parts[1]);
    }
    config.setMaximumPoolSize(2);
    return new HikariDataSource(config);
  }

  /** A command that ends and the one after it, with a row that its handler has written. */
  private final class Step {
    final PostgresCommandStore store;
    final Transactions<Connection> units;
    final int number;
    final CommandClaim claim;
    final NewCommand next;

    Step(PostgresCommandStore store, int number) {
      this(store, number, CommandSamples.taken(store, command("T", "ends-" + number)));
    }

    Step(PostgresCommandStore store, int number, CommandClaim claim) {
      this.store = store;
      this.units = store.transactions();
      this.number = number;
      this.claim = claim;
      this.next = command("Next", "next-" + number);
    }

    void run() throws SQLException {
      run(this::end);
    }

    /** With this as its last work. */
    void run(Transactions.Work<Connection, Boolean, SQLException> last) throws SQLException {
      units.run(
          connection -> {
            insert(connection, number);
            boolean unused = units.lastTogether(connection, last);
          });
    }

    boolean end(Connection connection) {
      boolean held = store.finish(connection, claim, COMPLETED);
      var unused = store.acceptTaken(connection, next, "node-1", LEASE);
      return held;
    }

    void requireDone() throws SQLException {
      assertThat(store.find(claim.id()).orElseThrow().status()).isEqualTo(CommandStatus.COMPLETED);
      assertThat(store.find(next.id()).orElseThrow().status()).isEqualTo(CommandStatus.PROCESSING);
      assertThat(things(number)).isEqualTo(1);
    }

    void requireNothing() throws SQLException {
      assertThat(store.find(next.id())).isEmpty();
      assertThat(things(number)).isZero();
    }
  }

  private static void insert(Connection connection, int kind) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int unused = statement.executeUpdate("INSERT INTO thing VALUES ('a', %d)".formatted(kind));
    }
  }

  private long things(int kind) throws SQLException {
    return Long.parseLong(
        TestDatabase.rows(database.pool(), "SELECT count(*) FROM thing WHERE kind = ?", kind)
            .get(0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "preferQueryMode=simple",
        "preferQueryMode=extendedForPrepared",
        "autosave=always",
        "prepareThreshold=1",
        "prepareThreshold=0",
        "defaultRowFetchSize=1"
      })
  void whatHoldsIsCommittedAndWhatDoesNotIsNot(String setting) throws SQLException {
    try (HikariDataSource pool = pool(setting);
        PostgresCommandStore store = PostgresCommandStore.open(pool, database.options())) {
      for (int i = 0; i < OFTEN; i++) {
        Step good = new Step(store, 2 * i);
        good.run();
        good.requireDone();

        Step late = new Step(store, 2 * i + 1);
        database.advance(LEASE.plusSeconds(1));
        assertThat(store.claim("node-2", Set.of("T"), 100, LEASE)).hasSize(i + 1);
        assertThatThrownBy(late::run)
            .isInstanceOf(ChangedMeanwhileException.class)
            .hasCauseInstanceOf(SQLException.class);
        late.requireNothing();

        carried(store, 1_000 + i);
      }
    }
  }

  /** One that has no row ends with its unit, and not a second time. */
  private void carried(PostgresCommandStore store, int number) throws SQLException {
    CommandClaim claim = CommandClaim.handedOff(command("Carried", "carried-" + number));
    Step good = new Step(store, number, claim);
    good.run();
    good.requireDone();

    Step again = new Step(store, 2 * number, claim);
    assertThatThrownBy(again::run)
        .isInstanceOf(ChangedMeanwhileException.class)
        .hasCauseInstanceOf(SQLException.class);
    again.requireNothing();
  }

  /** The commit is in the round trip of the writes, or else this would prove nothing. */
  @Test
  void itIsCommittedWhenTheLastWorkReturns() throws SQLException {
    try (PostgresCommandStore store =
        PostgresCommandStore.open(database.pool(), database.options())) {
      Step step = new Step(store, 1);

      step.units.run(
          connection -> {
            insert(connection, 1);
            boolean unused = step.units.lastTogether(connection, step::end);
            step.requireDone();
          });
    }
  }

  @Test
  void aConstraintThatIsCheckedAtTheCommitLeavesNothing() throws SQLException {
    try (PostgresCommandStore store =
        PostgresCommandStore.open(database.pool(), database.options())) {
      database.execute("INSERT INTO thing VALUES ('first', 7)");
      Step step = new Step(store, 7);

      assertThatThrownBy(step::run)
          .isInstanceOf(ChangedMeanwhileException.class)
          .hasCauseInstanceOf(SQLException.class);

      assertThat(store.find(step.next.id())).isEmpty();
      assertThat(things(7)).isEqualTo(1);
    }
  }

  /** A unit inside of the last work that fails is not committed over. */
  @Test
  void aFailureInsideOfTheLastWorkThatIsSwallowedLeavesNothing() throws SQLException {
    try (PostgresCommandStore store =
        PostgresCommandStore.open(database.pool(), database.options())) {
      Step step = new Step(store, 1);

      assertThatThrownBy(
              () ->
                  step.units.run(
                      connection -> {
                        insert(connection, 1);
                        boolean unused =
                            step.units.lastTogether(
                                connection,
                                unit -> {
                                  assertThatThrownBy(
                                          () ->
                                              step.units.run(
                                                  inner -> {
                                                    throw new IllegalStateException("inner");
                                                  }))
                                      .isInstanceOf(IllegalStateException.class);
                                  return step.end(unit);
                                });
                      }))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("nothing was committed");

      step.requireNothing();
    }
  }

  /** Otherwise what waits outside would be written after the commit. */
  @Test
  void insideOfOtherWorkItIsNotTheLast() throws SQLException {
    try (PostgresCommandStore store =
        PostgresCommandStore.open(database.pool(), database.options())) {
      Step step = new Step(store, 1);

      assertThatThrownBy(
              () ->
                  step.units.run(
                      connection ->
                          step.units.together(
                              connection,
                              unit -> {
                                insert(unit, 1);
                                boolean held = step.units.lastTogether(unit, step::end);
                                throw new IllegalStateException("after it, held: " + held);
                              })))
          .isInstanceOf(IllegalStateException.class);

      step.requireNothing();
    }
  }

  @Test
  void aConnectionLostWithTheLastWritesLeavesTheOutcomeUnknownAndSaysSo() throws SQLException {
    try (HikariDataSource pool = pool("");
        PostgresCommandStore store = PostgresCommandStore.open(pool, database.options())) {
      Step step = new Step(store, 1);

      assertThatThrownBy(
              () ->
                  step.run(
                      unit -> {
                        boolean held = step.end(unit);
                        terminate(unit);
                        return held;
                      }))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("its outcome is unknown");

      step.requireNothing();
    }
  }

  private void terminate(Connection connection) throws SQLException {
    int pid = connection.unwrap(PGConnection.class).getBackendPID();
    database.execute("SELECT pg_terminate_backend(%d, 10000)".formatted(pid));
  }
}
