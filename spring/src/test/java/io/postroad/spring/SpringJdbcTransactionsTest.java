package io.postroad.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.transaction.NoTransactionException;
import java.io.IOException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of Spring's own, as {@code @Transactional} begins them, on a real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringJdbcTransactionsTest {
  private TestPostgres database;
  private DataSourceTransactionManager manager;
  private SpringJdbcTransactions transactions;
  private PostgresOrderedStore store;
  private Outbox<Connection> outbox;
  private JdbcTemplate jdbc;
  private final AtomicInteger signals = new AtomicInteger();

  @BeforeAll
  void create() {
    database = new TestPostgres("spring_jdbc");
    database.execute("CREATE TABLE thing (name text PRIMARY KEY)");
    store = PostgresOrderedStore.open(database.pool(), database.options());
    manager = new DataSourceTransactionManager(database.pool());
    transactions = new SpringJdbcTransactions(manager, database.pool());
    outbox = Outbox.over(store, transactions, OutboxOptions.defaults(), OutboxObserver.none());
    jdbc = new JdbcTemplate(database.pool());
    store.wakeUps().subscribe(signals::incrementAndGet);
  }

  @BeforeEach
  void empty() {
    database.execute("TRUNCATE thing, outbox_log_0, outbox_log_1, outbox_log_2");
    signals.set(0);
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  @Test
  void aMessageIsCommittedWithTheRowsOfTheTransactionAndWakesTheRelay() {
    transaction()
        .executeWithoutResult(
            status -> {
              insert("a");
              outbox.append(event("A"));
              assertThat(things()).as("seen from outside").isEmpty();
              assertThat(messages()).as("seen from outside").isEmpty();
              assertThat(signals).hasValue(0);
            });

    assertThat(things()).containsExactly("a");
    assertThat(messages()).containsExactly("A");
    assertThat(signals).hasPositiveValue();
  }

  @Test
  void aRollbackTakesTheMessageWithIt() {
    assertThatThrownBy(
            () ->
                transaction()
                    .executeWithoutResult(
                        status -> {
                          insert("a");
                          outbox.append(event("A"));
                          throw new IllegalStateException("no");
                        }))
        .hasMessage("no");
    transaction()
        .executeWithoutResult(
            status -> {
              outbox.append(event("B"));
              status.setRollbackOnly();
            });

    assertThat(things()).isEmpty();
    assertThat(messages()).isEmpty();
    assertThat(signals).hasValue(0);
  }

  @Test
  void appendOutsideATransactionIsRefused() {
    assertThatThrownBy(() -> outbox.append(event("A")))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("@Transactional");
    assertThat(messages()).isEmpty();
  }

  /** JdbcTemplate binds a connection then, too; but in autocommit. */
  @Test
  void aScopeWithoutATransactionIsNone() {
    template(TransactionDefinition.PROPAGATION_SUPPORTS)
        .executeWithoutResult(
            status -> {
              insert("a");
              assertThatThrownBy(() -> outbox.append(event("A")))
                  .isInstanceOf(NoTransactionException.class);
              assertThat(transactions.current()).isEmpty();
            });
    assertThat(messages()).isEmpty();
  }

  @Test
  void aTransactionOfAnotherDatabaseIsNone() {
    try (HikariDataSource other = new HikariDataSource()) {
      other.setJdbcUrl(database.pool().getJdbcUrl());
      new TransactionTemplate(new DataSourceTransactionManager(other))
          .executeWithoutResult(
              status -> {
                insert("a");
                assertThatThrownBy(() -> outbox.append(event("A")))
                    .isInstanceOf(NoTransactionException.class);
              });
    }
    assertThat(messages()).isEmpty();
  }

  /** Ours is still bound then, but what is done after a commit would be after that of the other. */
  @Test
  void aTransactionOfAnotherDatabaseInsideOfOursIsRefused() {
    List<String> told = new ArrayList<>();
    try (HikariDataSource other = TestPostgres.pool(database.pool().getJdbcUrl(), 1)) {
      transaction()
          .executeWithoutResult(
              status -> {
                outbox.append(event("Before"));
                new TransactionTemplate(new DataSourceTransactionManager(other))
                    .executeWithoutResult(
                        inner -> {
                          requireRefused(() -> outbox.append(event("Inside")));
                          requireRefused(() -> transactions.run(connection -> insert("inside")));
                          requireRefused(
                              () -> transactions.afterCommit(() -> told.add("of the other")));
                          template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                              .executeWithoutResult(own -> outbox.append(event("Own")));
                        });
                outbox.append(event("After"));
                transactions.afterCommit(() -> told.add("ours"));
                assertThat(messages()).as("seen from outside").containsExactly("Own");
              });
    }

    assertThat(messages()).containsExactly("After", "Before", "Own");
    assertThat(things()).isEmpty();
    assertThat(told).containsExactly("ours");
  }

  /** The commit of that transaction is not seen, so nothing is done. */
  @Test
  void anActionAfterTheCommitOfOursIsNotDoneAfterThatOfAnother() {
    List<String> told = new ArrayList<>();
    try (HikariDataSource other = TestPostgres.pool(database.pool().getJdbcUrl(), 1)) {
      transactions.run(
          connection ->
              new TransactionTemplate(new DataSourceTransactionManager(other))
                  .executeWithoutResult(
                      inner ->
                          transactions.afterCommitOf(connection, () -> told.add("too early"))));
    }
    assertThat(told).isEmpty();
  }

  /** Without a callback of the commit, an append after it would be lost. */
  @Test
  void aTransactionOfAnotherManagerOfTheSameDataSourceIsRefused() {
    new TransactionTemplate(new DataSourceTransactionManager(database.pool()))
        .executeWithoutResult(
            status -> {
              requireRefused(() -> outbox.append(event("A")));
              requireRefused(() -> transactions.run(connection -> insert("a")));
            });

    assertThat(messages()).isEmpty();
    assertThat(things()).isEmpty();
  }

  @Test
  void aTransactionInWhichPostroadIsMadeIsOneLikeAnyOther() {
    List<String> told = new ArrayList<>();
    DataSourceTransactionManager early = new DataSourceTransactionManager(database.pool());
    new TransactionTemplate(early)
        .executeWithoutResult(
            status -> {
              SpringJdbcTransactions late = new SpringJdbcTransactions(early, database.pool());
              late.run(
                  connection -> {
                    insert("a");
                    late.afterCommit(() -> told.addAll(things()));
                  });
              assertThat(things()).as("seen from outside").isEmpty();
            });

    assertThat(told).containsExactly("a");
  }

  @Test
  void aManagerOfAnotherDataSourceIsFoundOut() {
    try (HikariDataSource other = new HikariDataSource()) {
      other.setJdbcUrl(database.pool().getJdbcUrl());
      SpringJdbcTransactions wrong =
          new SpringJdbcTransactions(new DataSourceTransactionManager(other), database.pool());
      assertThatThrownBy(() -> wrong.run(connection -> {}))
          .isInstanceOf(PostroadException.class)
          .hasMessageContaining("not on the DataSource of Postroad");
    }
  }

  @Test
  void aCallJoinsTheTransactionThatItIsMadeIn() {
    transaction()
        .executeWithoutResult(
            status -> {
              insert("outer");
              transactions.run(
                  connection -> {
                    assertThat(transactions.current()).containsSame(connection);
                    insert("unit");
                    assertThat(things()).as("seen from outside").isEmpty();
                  });
              assertThat(things()).as("no commit at the end of the unit").isEmpty();
            });

    assertThat(things()).containsExactly("outer", "unit");
  }

  @Test
  void anInnerTransactionalMethodJoinsACall() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      transaction().executeWithoutResult(status -> insert("inner"));
                      assertThat(things()).isEmpty();
                      throw new IOException("no");
                    }))
        .isInstanceOf(IOException.class);

    assertThat(things()).isEmpty();
  }

  @Test
  void aTransactionWithRequiresNewIsItsOwn() {
    assertThatThrownBy(
            () ->
                transaction()
                    .executeWithoutResult(
                        status -> {
                          outbox.append(event("Outer"));
                          template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                              .executeWithoutResult(own -> outbox.append(event("Own")));
                          assertThat(messages()).containsExactly("Own");
                          assertThat(signals).as("told of the inner commit").hasPositiveValue();
                          throw new IllegalStateException("outer");
                        }))
        .hasMessage("outer");

    assertThat(messages()).containsExactly("Own");
  }

  @Test
  void aMessageThatIsRolledBackToItsSavepointIsNotSent() {
    List<String> told = new ArrayList<>();
    transaction()
        .executeWithoutResult(
            status -> {
              outbox.append(event("Outer"));
              transactions.afterCommit(() -> told.add("outer"));
              template(TransactionDefinition.PROPAGATION_NESTED)
                  .executeWithoutResult(
                      nested -> {
                        outbox.append(event("Nested"));
                        transactions.afterCommit(() -> told.add("nested"));
                        nested.setRollbackOnly();
                      });
              transactions.afterCommit(() -> told.add("after"));
            });

    assertThat(messages()).containsExactly("Outer");
    assertThat(told).containsExactly("outer", "after");
  }

  @Test
  void anInnerFailureThatIsSwallowedRollsTheWholeBack() {
    assertThatThrownBy(
            () ->
                transaction()
                    .executeWithoutResult(
                        status -> {
                          insert("a");
                          assertThatThrownBy(
                                  () ->
                                      transactions.run(
                                          connection -> {
                                            throw new IOException("inner");
                                          }))
                              .isInstanceOf(IOException.class);
                        }))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(things()).isEmpty();
  }

  @Test
  void aCallWithATransactionalMethodThatMarkedItRollbackOnlySaysSo() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      insert("a");
                      transaction().executeWithoutResult(status -> status.setRollbackOnly());
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("nothing was committed")
        .hasMessageContaining("rollback-only");
    assertThat(things()).isEmpty();
  }

  /** The server would answer the commit with a rollback, and the driver says nothing. */
  @Test
  void aFailedStatementThatIsSwallowedFailsTheCommit() {
    Runnable work =
        () -> {
          insert("a");
          outbox.append(event("A"));
          assertThatThrownBy(() -> insert("a")).isInstanceOf(DuplicateKeyException.class);
        };

    assertThatThrownBy(() -> transactions.run(connection -> work.run()))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("a statement of this transaction has failed");
    assertThatThrownBy(() -> transaction().executeWithoutResult(status -> work.run()))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("a statement of this transaction has failed");

    assertThat(things()).isEmpty();
    assertThat(messages()).isEmpty();
    assertThat(signals).hasValue(0);
  }

  @Test
  void aReadOnlyTransactionIsRefusedWithAWayOut() {
    TransactionTemplate readOnly = transaction();
    readOnly.setReadOnly(true);
    readOnly.executeWithoutResult(
        status -> {
          assertThatThrownBy(() -> outbox.append(event("A")))
              .isInstanceOf(NoTransactionException.class)
              .hasMessageContaining("readOnly");
          assertThatThrownBy(() -> transactions.run(connection -> {}))
              .isInstanceOf(NoTransactionException.class)
              .hasMessageContaining("REQUIRES_NEW");
        });
    assertThat(messages()).isEmpty();
  }

  /** As {@code @TransactionalEventListener} is called: the transaction only looks active. */
  @Test
  void appendAfterTheCommitIsRefused() {
    List<Throwable> thrown = new ArrayList<>();
    transaction()
        .executeWithoutResult(
            status -> {
              insert("a");
              afterCommit(() -> thrown.add(catchThrowable(() -> outbox.append(event("Late")))));
              afterCompletion(() -> thrown.add(catchThrowable(() -> outbox.append(event("Late")))));
            });

    assertThat(thrown)
        .hasSize(2)
        .allSatisfy(each -> assertThat(each).isInstanceOf(NoTransactionException.class));
    assertThat(messages()).isEmpty();
  }

  @Test
  void aCallAfterTheCommitIsATransactionOfItsOwn() {
    transaction()
        .executeWithoutResult(
            status -> {
              afterCommit(() -> transactions.run(own -> outbox.append(event("AfterCommit"))));
              transactions.afterCommit(() -> transactions.run(own -> outbox.append(event("One"))));
              transactions.afterCommit(() -> transactions.run(own -> outbox.append(event("Two"))));
            });

    assertThat(messages()).containsExactlyInAnyOrder("AfterCommit", "One", "Two");
  }

  @Test
  void aNewTransactionInAnAfterCommitListenerIsOneLikeAnyOther() {
    transaction()
        .executeWithoutResult(
            status ->
                afterCommit(
                    () ->
                        template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                            .executeWithoutResult(own -> outbox.append(event("Own")))));

    assertThat(messages()).containsExactly("Own");
  }

  @Test
  void aCallIsCommittedThoughAnotherSynchronizationThrows() {
    List<String> told = new ArrayList<>();

    String result =
        transactions.call(
            connection -> {
              insert("a");
              transactions.afterCommit(() -> told.add("after commit"));
              afterCommit(
                  () -> {
                    throw new IllegalStateException("told");
                  });
              return "done";
            });

    assertThat(result).isEqualTo("done");
    assertThat(told).containsExactly("after commit");
    assertThat(things()).containsExactly("a");
  }

  /** It looks like the rollback of the unit itself, but is that of another transaction. */
  @Test
  void aCallIsCommittedThoughATransactionAfterItIsRolledBack() {
    List<String> told = new ArrayList<>();

    transactions.run(
        connection -> {
          insert("a");
          transactions.afterCommit(() -> told.add("after commit"));
          afterCommit(
              () ->
                  template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                      .executeWithoutResult(
                          own ->
                              transaction()
                                  .executeWithoutResult(inner -> inner.setRollbackOnly())));
        });

    assertThat(told).containsExactly("after commit");
    assertThat(things()).containsExactly("a");
  }

  /** The caller of the method is told what was thrown, as Spring does it. */
  @Test
  void actionsOfATransactionalMethodRunThoughAnotherSynchronizationThrows() {
    List<String> told = new ArrayList<>();

    assertThatThrownBy(
            () ->
                transaction()
                    .executeWithoutResult(
                        status -> {
                          insert("a");
                          transactions.afterCommit(() -> told.add("after commit"));
                          afterCommit(
                              () -> {
                                throw new IllegalStateException("told");
                              });
                        }))
        .hasMessage("told");

    assertThat(told).containsExactly("after commit");
    assertThat(things()).containsExactly("a");
  }

  @Test
  void appendBeforeTheCommitIsPartOfIt() {
    transaction()
        .executeWithoutResult(
            status ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      @Override
                      public void beforeCommit(boolean readOnly) {
                        outbox.append(event("InTime"));
                      }
                    }));

    assertThat(messages()).containsExactly("InTime");
  }

  @Test
  void aCallNeedsNoSecondConnection() {
    try (HikariDataSource one = TestPostgres.pool(database.pool().getJdbcUrl(), 1)) {
      SpringJdbcTransactions alone =
          new SpringJdbcTransactions(new DataSourceTransactionManager(one), one);
      List<String> after = new ArrayList<>();
      alone.run(
          connection ->
              alone.afterCommit(() -> alone.run(next -> after.add("with the same connection"))));
      assertThat(after).hasSize(1);
    }
  }

  @Test
  void theDataSourceMayBeAProxyThatKnowsTransactions() {
    SpringJdbcTransactions proxied =
        new SpringJdbcTransactions(manager, new TransactionAwareDataSourceProxy(database.pool()));
    transaction().executeWithoutResult(status -> assertThat(proxied.current()).isPresent());
  }

  @Test
  void aManagerThatDoesNotTellIsRefused() {
    DataSourceTransactionManager silent = new DataSourceTransactionManager(database.pool());
    silent.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
    assertThatThrownBy(() -> new SpringJdbcTransactions(silent, database.pool()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SYNCHRONIZATION_ALWAYS");
  }

  @Test
  void noConnectionMeansNoTransaction() {
    HikariDataSource closed = TestPostgres.pool(database.pool().getJdbcUrl(), 1);
    closed.close();
    SpringJdbcTransactions without =
        new SpringJdbcTransactions(new DataSourceTransactionManager(closed), closed);
    assertThatThrownBy(() -> without.run(connection -> {}))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("could not begin a transaction");
  }

  private static void requireRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("another transaction manager");
  }

  private TransactionTemplate transaction() {
    return new TransactionTemplate(manager);
  }

  private TransactionTemplate template(int propagation) {
    return new TransactionTemplate(manager, new DefaultTransactionDefinition(propagation));
  }

  private static void afterCommit(Runnable action) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            action.run();
          }
        });
  }

  private static void afterCompletion(Runnable action) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCompletion(int status) {
            action.run();
          }
        });
  }

  private void insert(String name) {
    jdbc.update("INSERT INTO thing VALUES (?)", name);
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
