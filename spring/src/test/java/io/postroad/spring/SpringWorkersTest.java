package io.postroad.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.inbox.Handlers;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxWorkers;
import io.postroad.postgres.PostgresCompetingStore;
import io.postroad.store.MessageStatus;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Workers whose handlers write by Spring, in the transaction that settles their message. */
class SpringWorkersTest {

  @Test
  void rowsThatAHandlerWritesBySpringAreSettledOrRolledBackWithItsMessage() {
    try (TestPostgres database = new TestPostgres("spring_workers");
        PostgresCompetingStore store =
            PostgresCompetingStore.open(database.pool(), database.options().withStreams(true))) {
      database.execute("CREATE TABLE thing (name text PRIMARY KEY)");
      SpringJdbcTransactions transactions =
          new SpringJdbcTransactions(
              new DataSourceTransactionManager(database.pool()), database.pool());
      JdbcTemplate jdbc = new JdbcTemplate(database.pool());
      Handlers<Connection> handlers =
          Handlers.<Connection>builder()
              .onAny(
                  "things",
                  "store",
                  (message, context) -> {
                    jdbc.update("INSERT INTO thing VALUES (?)", message.type());
                    assertThat(database.seen("SELECT name FROM thing WHERE name = 'Bad'"))
                        .as("seen from outside")
                        .isEmpty();
                    if (message.type().equals("Bad")) {
                      throw new IllegalStateException("bad");
                    }
                  })
              .build();
      Message good = Message.event("Good").to("things").json("{}").build();
      Message bad = Message.event("Bad").to("things").json("{}").build();
      transactions.run(
          connection -> store.append(connection, List.of(good, bad), Duration.ofDays(1)));

      try (OutboxWorkers<Connection> workers =
          OutboxWorkers.builder(store, handlers.work()).transactions(transactions).build()) {
        var unused = workers.runOnce();
      }

      assertThat(database.seen("SELECT name FROM thing")).containsExactly("Good");
      assertThat(store.find(good.id()).orElseThrow().status()).isEqualTo(MessageStatus.DISPATCHED);
      assertThat(store.find(bad.id()).orElseThrow().status()).isEqualTo(MessageStatus.PENDING);
    }
  }
}
