package io.postroad.postgres;

import static io.postroad.postgres.CommandSamples.COMPLETED;
import static io.postroad.postgres.CommandSamples.LEASE;
import static io.postroad.postgres.CommandSamples.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.PostroadException;
import io.postroad.spi.CommandClaim;
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

/** Commands that have no row until they end: when that is possible, and who waits for whom. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class CarriedCommandTest {
  private TestDatabase database;
  private PostgresCommandStore store;
  private Transactions<Connection> units;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("carried");
    store = PostgresCommandStore.open(database.pool(), database.options());
    units = store.transactions();
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

  /** Otherwise it could be done twice: by the one that ends it, and by whoever finds the row. */
  @Test
  void whoWritesItWaitsForTheOneThatEndsIt() throws Exception {
    CommandClaim claim = CommandClaim.carried(command("T", "key-1"));
    CompletableFuture<Optional<CommandClaim>> writing;
    try (Connection ending = database.pool().getConnection()) {
      ending.setAutoCommit(false);
      assertThat(store.finish(ending, claim, COMPLETED)).isTrue();
      writing =
          CompletableFuture.supplyAsync(() -> store.writeCarried(claim.command(), "node-2", LEASE));
      database.awaitLockWait();
      ending.commit();
    }

    assertThat(writing.get(60, TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void onlyWhatAUnitDoesLastCanCarry() throws SQLException {
    units.run(
        connection -> {
          assertThat(store.canCarry(connection)).isFalse();
          boolean together = units.together(connection, store::canCarry);
          assertThat(together).isFalse();
          boolean last = units.lastTogether(connection, store::canCarry);
          assertThat(last).isTrue();
        });
  }

  /** As what a unit does last becomes, when a unit inside of it has failed. */
  @Test
  void itEndsInAnyOtherWorkToo() {
    CommandClaim claim = CommandClaim.carried(command("T", "key-1"));

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
