package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.transaction.TransactionOperations;
import io.postroad.postgres.PostgresCommandStore;
import io.postroad.spi.CommandQueue;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** The transactions of Micronaut in which the command of the next step is handed off in memory. */
class MicronautHandoffTest {

  @Test
  void onlyTheLastWorkOfATransactionThatPostroadHasBegunCanHandOff() {
    try (TestPostgres database = new TestPostgres("micronaut_handoff");
        PostgresCommandStore store =
            PostgresCommandStore.open(database.pool(), database.options())) {
      TransactionOperations<Connection> operations = database.operations();
      MicronautJdbcTransactions transactions =
          MicronautJdbcTransactions.of(operations, store.transactions());
      CommandQueue.Handoff<Connection> handoff = store.handoff().orElseThrow();

      boolean last = transactions.call(t -> transactions.lastTogether(t, handoff::isPossible));
      boolean together = transactions.call(t -> transactions.together(t, handoff::isPossible));
      boolean inner =
          transactions.call(
              outer -> transactions.call(t -> transactions.lastTogether(t, handoff::isPossible)));
      boolean ofUser =
          operations.executeWrite(
              status -> transactions.call(t -> transactions.lastTogether(t, handoff::isPossible)));

      assertThat(last).isTrue();
      assertThat(together).isFalse();
      assertThat(inner).as("in an inner unit").isFalse();
      assertThat(ofUser).as("in a transaction of the user").isFalse();
    }
  }
}
