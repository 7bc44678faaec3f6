package io.postroad.postgres;

import static io.postroad.postgres.CommandSamples.COMPLETED;
import static io.postroad.postgres.CommandSamples.LEASE;
import static io.postroad.postgres.CommandSamples.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import io.postroad.spi.CommandClaim;
import io.postroad.spi.CommandQueue;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Commands that are handed off in memory: when that is possible, and which writer waits. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class CarriedCommandTest {
  private TestDatabase database;
  private PostgresCommandStore store;
  private Transactions<Connection> units;
  private CommandQueue.Handoff<Connection> handoff;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("carried");
    store = PostgresCommandStore.open(database.pool(), database.options());
    units = store.transactions();
    handoff = store.handoff().orElseThrow();
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

  /** Otherwise it could be done twice: by the node that ends it, and by the one that writes it. */
  @Test
  void theWriteOfItsRowWaitsForItsEnd() throws Exception {
    CommandClaim claim = CommandClaim.handedOff(command("T", "key-1"));
    CompletableFuture<Optional<CommandClaim>> writing;
    try (Connection ending = database.pool().getConnection()) {
      ending.setAutoCommit(false);
      assertThat(store.finish(ending, claim, COMPLETED)).isTrue();
      writing =
          CompletableFuture.supplyAsync(() -> handoff.write(claim.command(), "node-2", LEASE));
      database.awaitLockWait();
      ending.commit();
    }

    assertThat(writing.get(60, TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void onlyTheLastWorkOfAUnitCanHandOff() throws SQLException {
    units.run(
        connection -> {
          assertThat(handoff.isPossible(connection)).isFalse();
          boolean together = units.together(connection, handoff::isPossible);
          assertThat(together).isFalse();
          boolean last = units.lastTogether(connection, handoff::isPossible);
          assertThat(last).isTrue();
        });
  }

  /** The last work of a unit is ordinary work when a unit inside of it has failed. */
  @Test
  void itEndsInAnyOtherWorkToo() {
    CommandClaim claim = CommandClaim.handedOff(command("T", "key-1"));

    boolean held =
        units.<Boolean, RuntimeException>call(
            connection -> store.finish(connection, claim, COMPLETED));

    assertThat(held).isTrue();
    assertThat(store.find(claim.id()).orElseThrow().outcome()).contains(COMPLETED);
    assertThatThrownBy(
            () ->
                units.<Boolean, RuntimeException>call(
                    connection -> store.finish(connection, claim, COMPLETED)))
        .isInstanceOf(PostroadException.class);
  }
}
