package io.postroad.postgres;

import static io.postroad.postgres.CommandSamples.COMPLETED;
import static io.postroad.postgres.CommandSamples.LEASE;
import static io.postroad.postgres.CommandSamples.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.postroad.store.ChangedMeanwhileException;
import io.postroad.store.CommandClaim;
import io.postroad.store.CommandStatus;
import io.postroad.store.CommandStore.Acceptance;
import io.postroad.store.CommandStore.Opening;
import io.postroad.store.NewCommand;
import io.postroad.store.StoredCommand;
import io.postroad.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Commands that have no row until they end. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class CarriedCommandTest {
  private TestDatabase database;
  private PostgresCommandStore store;
  private Transactions<Connection> units;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("carried");
    database.execute("CREATE TABLE thing (name text)");
    store = PostgresCommandStore.open(database.pool(), database.options());
    units = store.transactions();
  }

  @BeforeEach
  void empty() throws SQLException {
    database.reset();
    database.execute("TRUNCATE thing");
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  private CommandClaim carried(NewCommand command) {
    Acceptance acceptance =
        units.call(
            connection ->
                units.lastTogether(
                    connection, unit -> store.carry(unit, command, "node-1", LEASE)));
    assertThat(acceptance.isNew()).isTrue();
    CommandClaim claim = acceptance.claim().orElseThrow();
    assertThat(claim.isCarried()).isTrue();
    return claim;
  }

  /** With a row that its handler has written. */
  private void handle(CommandClaim claim) throws SQLException {
    units.run(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            int unused = statement.executeUpdate("INSERT INTO thing VALUES ('a')");
          }
          boolean held =
              units.lastTogether(connection, unit -> store.finish(unit, claim, COMPLETED));
          assertThat(held).isTrue();
        });
  }

  private boolean write(NewCommand command, Duration leaseFor) {
    return units.<Boolean, RuntimeException>call(
        connection -> store.writeCarried(connection, command, "node-1", leaseFor));
  }

  @Test
  void oneThatIsCarriedLeavesNothing() {
    CommandClaim claim = carried(command("T", "key-1"));

    assertThat(store.find(claim.id())).isEmpty();
    assertThat(store.findByKey("key-1")).isEmpty();
  }

  @Test
  void itsEndIsItsRow() throws SQLException {
    NewCommand command = command("T", "key-1");

    handle(carried(command));

    StoredCommand ended = store.find(command.id()).orElseThrow();
    assertThat(ended.command()).isEqualTo(command);
    assertThat(ended.status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(ended.outcome()).contains(COMPLETED);
    assertThat(ended.attempt()).isEqualTo(1);
    assertThat(ended.owner()).isEmpty();
    assertThat(ended.createdAt()).isBeforeOrEqualTo(ended.finishedAt().orElseThrow());
    assertThat(store.claim("node-2", Set.of("T"), 10, LEASE)).isEmpty();
    assertThat(database.rows("SELECT name FROM thing")).containsExactly("a");
  }

  /** Somebody thought that its node was dead; what that one does now must not be there. */
  @Test
  void oneThatHasARowCannotEndSo() throws SQLException {
    CommandClaim claim = carried(command("T", "key-1"));
    assertThat(write(claim.command(), Duration.ZERO)).isTrue();

    assertThatThrownBy(() -> handle(claim)).isInstanceOf(ChangedMeanwhileException.class);

    assertThat(database.rows("SELECT name FROM thing")).isEmpty();
    assertThat(store.find(claim.id()).orElseThrow().status()).isEqualTo(CommandStatus.PROCESSING);
  }

  @Test
  void norCanOneWhoseKeyIsTaken() throws SQLException {
    CommandClaim claim = carried(command("T", "key-1"));
    var unused = CommandSamples.accept(store, command("T", "key-1"));

    assertThatThrownBy(() -> handle(claim)).isInstanceOf(ChangedMeanwhileException.class);

    assertThat(database.rows("SELECT name FROM thing")).isEmpty();
    assertThat(store.find(claim.id())).isEmpty();
  }

  @Test
  void oneThatIsWrittenIsLikeOneThatWasAcceptedAsTaken() {
    CommandClaim ends = carried(command("T", "key-1"));
    CommandClaim fails = carried(command("T", "key-2"));
    CommandClaim returns = carried(command("T", "key-3"));
    for (CommandClaim claim : List.of(ends, fails, returns)) {
      assertThat(write(claim.command(), LEASE)).isTrue();
    }
    assertThat(store.claim("node-2", Set.of("T"), 10, LEASE)).isEmpty();

    boolean held =
        units.<Boolean, RuntimeException>call(
            connection ->
                store.open(connection, ends.written()) == Opening.HELD
                    && store.finish(connection, ends.written(), COMPLETED));
    assertThat(held).isTrue();
    assertThat(store.retry(fails.written(), Duration.ZERO, "busy")).isTrue();
    assertThat(store.release(List.of(returns.written()))).containsExactly(returns.id());

    assertThat(store.find(ends.id()).orElseThrow().status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(store.claim("node-2", Set.of("T"), 10, LEASE))
        .extracting(CommandClaim::id, CommandClaim::attempt)
        .containsExactlyInAnyOrder(tuple(fails.id(), 2), tuple(returns.id(), 1));
  }

  /** The attempt that did not come back counts. */
  @Test
  void oneThatIsWrittenWithoutALeaseIsForAnybody() {
    NewCommand command = carried(command("T", "key-1")).command();

    assertThat(write(command, Duration.ZERO)).isTrue();

    CommandClaim claim = store.claim("node-2", Set.of("T"), 10, LEASE).get(0);
    assertThat(claim.command()).isEqualTo(command);
    assertThat(claim.attempt()).isEqualTo(2);
    assertThat(claim.token()).isGreaterThan(1);
  }

  @Test
  void itIsWrittenOnce() throws SQLException {
    CommandClaim done = carried(command("T", "key-1"));
    handle(done);
    NewCommand written = command("T", "key-2");
    assertThat(write(written, LEASE)).isTrue();

    assertThat(write(done.command(), LEASE)).isFalse();
    assertThat(write(written, Duration.ZERO)).isFalse();

    assertThat(store.find(done.id()).orElseThrow().status()).isEqualTo(CommandStatus.COMPLETED);
    assertThat(store.claim("node-2", Set.of("T"), 10, LEASE)).isEmpty();
  }

  /** Otherwise it could be done twice: by the one that ends it, and by whoever finds the row. */
  @Test
  void whoWritesItWaitsForTheOneThatEndsIt() throws Exception {
    CommandClaim claim = carried(command("T", "key-1"));
    CompletableFuture<Boolean> writing;
    try (Connection ending = database.pool().getConnection()) {
      ending.setAutoCommit(false);
      assertThat(store.writeCarried(ending, claim.command(), "node-1", LEASE)).isTrue();
      writing = CompletableFuture.supplyAsync(() -> write(claim.command(), Duration.ZERO));
      database.awaitLockWait();
      ending.commit();
    }

    assertThat(writing.get(60, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void onlyWhatAUnitDoesLastCanCarry() throws SQLException {
    NewCommand plain = command("T", "key-1");
    NewCommand timed = CommandSamples.within("key-2", Duration.ofMinutes(1));

    units.run(
        connection -> {
          assertThat(store.canCarry(connection, plain)).isFalse();
          boolean unused =
              units.together(
                  connection,
                  unit -> {
                    assertThat(store.canCarry(unit, plain)).isFalse();
                    return true;
                  });
          boolean unusedLast =
              units.lastTogether(
                  connection,
                  unit -> {
                    assertThat(store.canCarry(unit, plain)).isTrue();
                    assertThat(store.canCarry(unit, timed)).isFalse();
                    return true;
                  });
        });
  }

  @Test
  void itCannotEndElsewhere() {
    CommandClaim claim = carried(command("T", "key-1"));

    assertThatThrownBy(
            () ->
                units.<Boolean, RuntimeException>call(
                    connection -> store.finish(connection, claim, COMPLETED)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(claim.id().toString());

    assertThat(store.find(claim.id())).isEmpty();
  }
}
