package io.postroad.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.postgres.PostgresCommandStore;
import io.postroad.spi.CommandQueue;
import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The transactions of Spring in which the command of the next step is handed off in memory. */
class SpringHandoffTest {

  @Test
  void onlyTheLastWorkOfATransactionThatPostroadHasBegunCanHandOff() {
    try (TestPostgres database = new TestPostgres("spring_handoff");
        PostgresCommandStore store =
            PostgresCommandStore.open(database.pool(), database.options())) {
      DataSourceTransactionManager manager = new DataSourceTransactionManager(database.pool());
      SpringJdbcTransactions transactions =
          SpringJdbcTransactions.of(manager, database.pool(), store.transactions());
      CommandQueue.Handoff<Connection> handoff = store.handoff().orElseThrow();

      boolean last = transactions.call(t -> transactions.lastTogether(t, handoff::isPossible));
      boolean together = transactions.call(t -> transactions.together(t, handoff::isPossible));
      boolean inner =
          transactions.call(
              outer -> transactions.call(t -> transactions.lastTogether(t, handoff::isPossible)));
      Boolean ofUser =
          new TransactionTemplate(manager)
              .execute(
                  status ->
                      transactions.call(t -> transactions.lastTogether(t, handoff::isPossible)));

      assertThat(last).isTrue();
      assertThat(together).isFalse();
      assertThat(inner).as("in an inner unit").isFalse();
      assertThat(ofUser).as("in a transaction of the user").isFalse();
    }
  }
}
