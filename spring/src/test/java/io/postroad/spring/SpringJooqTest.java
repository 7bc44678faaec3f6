package io.postroad.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.transaction.NoTransactionException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * jOOQ in Spring's transactions, on the proxy that Spring Boot gives it, too: the same connection.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringJooqTest {
  private TestPostgres database;
  private DataSourceTransactionManager manager;
  private SpringJdbcTransactions transactions;
  private PostgresOrderedStore store;
  private Outbox<Connection> outbox;
  private DSLContext jooq;

  @BeforeAll
  void create() {
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
    database = new TestPostgres("spring_jooq");
    database.execute("CREATE TABLE thing (name text PRIMARY KEY)");
    store = PostgresOrderedStore.open(database.pool(), database.options());
    manager = new DataSourceTransactionManager(database.pool());
    transactions = new SpringJdbcTransactions(manager, database.pool());
    outbox = Outbox.over(store, transactions, OutboxOptions.defaults(), OutboxObserver.none());
    jooq = DSL.using(new TransactionAwareDataSourceProxy(database.pool()), SQLDialect.POSTGRES);
  }

  @BeforeEach
  void empty() {
    database.execute("TRUNCATE thing, outbox_log_0, outbox_log_1, outbox_log_2");
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  @Test
  void rowsOfJooqAndMessagesAreOnOneConnectionAndCommittedTogether() {
    new TransactionTemplate(manager)
        .executeWithoutResult(
            status -> {
              insert("a");
              outbox.append(event("A"));
              assertThat(session(transactions.current().orElseThrow())).isEqualTo(sessionOfJooq());
              assertThat(things()).as("seen from outside").isEmpty();
              assertThat(messages()).as("seen from outside").isEmpty();
            });

    assertThat(things()).containsExactly("a");
    assertThat(messages()).containsExactly("A");
  }

  @Test
  void aRollbackLeavesNeitherRowNorMessage() {
    assertThatThrownBy(
            () ->
                new TransactionTemplate(manager)
                    .executeWithoutResult(
                        status -> {
                          insert("a");
                          outbox.append(event("A"));
                          throw new IllegalStateException("no");
                        }))
        .hasMessage("no");

    assertThat(things()).isEmpty();
    assertThat(messages()).isEmpty();
  }

  @Test
  void jooqIsInATransactionThatPostroadBegan() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      insert("a");
                      assertThat(session(connection)).isEqualTo(sessionOfJooq());
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(things()).isEmpty();
  }

  /** Spring knows nothing of it, so no message could be part of it. */
  @Test
  void inATransactionOfJooqsOwnAppendIsRefused() {
    jooq.transaction(
        own -> {
          own.dsl().execute("INSERT INTO thing VALUES ('a')");
          assertThatThrownBy(() -> outbox.append(event("A")))
              .isInstanceOf(NoTransactionException.class);
        });
    assertThat(things()).containsExactly("a");
    assertThat(messages()).isEmpty();
  }

  private void insert(String name) {
    int inserted = jooq.execute("INSERT INTO thing VALUES (?)", name);
    assertThat(inserted).isEqualTo(1);
  }

  private Integer sessionOfJooq() {
    return jooq.fetchOptional("SELECT pg_backend_pid()").orElseThrow().get(0, Integer.class);
  }

  private static Integer session(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private List<String> things() {
    return database.seen("SELECT name FROM thing ORDER BY 1");
  }

  private List<String> messages() {
    return database.seen("SELECT type FROM outbox ORDER BY 1");
  }

  private static Message event(String type) {
    return Message.event(type).to("things").json("{}").build();
  }
}
