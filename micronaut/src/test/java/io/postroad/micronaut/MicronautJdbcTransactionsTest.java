package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.TransactionStatus;
import io.micronaut.transaction.exceptions.UnexpectedRollbackException;
import io.micronaut.transaction.support.TransactionSynchronization;
import io.postroad.message.Message;
import io.postroad.message.PostroadException;
import io.postroad.outbox.Outbox;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxOptions;
import io.postroad.postgres.PostgresOrderedStore;
import io.postroad.transaction.NoTransactionException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Transactions of Micronaut's own, as {@code @Transactional} begins them, on a real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MicronautJdbcTransactionsTest {
  private TestPostgres database;
  private TransactionOperations<Connection> operations;
  private MicronautJdbcTransactions transactions;
  private PostgresOrderedStore store;
  private Outbox<Connection> outbox;
  private final AtomicInteger signals = new AtomicInteger();

  @BeforeAll
  void create() {
    database = new TestPostgres("micronaut_jdbc");
    database.execute("CREATE TABLE thing (name text PRIMARY KEY)");
    store = PostgresOrderedStore.open(database.pool(), database.options());
    operations = database.operations();
    transactions = new MicronautJdbcTransactions(operations);
    outbox = Outbox.over(store, transactions, OutboxOptions.defaults(), OutboxObserver.none());
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
    transaction(
        status -> {
          insert(status, "a");
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
                transaction(
                    status -> {
                      insert(status, "a");
                      outbox.append(event("A"));
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    transaction(
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
    assertThatThrownBy(() -> outbox.append(event("A"))).isInstanceOf(NoTransactionException.class);
    assertThat(messages()).isEmpty();
  }

  /** A connection is there, too; but in autocommit. */
  @Test
  void aScopeWithoutATransactionIsNone() {
    transaction(
        TransactionDefinition.Propagation.NOT_SUPPORTED,
        status -> {
          insert(status, "a");
          assertThatThrownBy(() -> outbox.append(event("A")))
              .isInstanceOf(NoTransactionException.class);
          assertThat(transactions.current()).isEmpty();
        });
    assertThat(messages()).isEmpty();
  }

  /** Micronaut would take the scope for a transaction and apply each statement alone. */
  @Test
  void aCallInAScopeWithoutATransactionIsOneOfItsOwn() {
    transaction(
        TransactionDefinition.Propagation.NOT_SUPPORTED,
        status -> {
          transactions.run(connection -> outbox.append(event("kept")));
          assertThatThrownBy(
                  () ->
                      transactions.run(
                          connection -> {
                            outbox.append(event("gone"));
                            throw new IllegalStateException("after it");
                          }))
              .isInstanceOf(IllegalStateException.class);
          assertThat(transactions.current()).isEmpty();
        });
    assertThat(messages()).hasSize(1);
  }

  @Test
  void aTransactionOfAnotherDatabaseIsNone() {
    try (TestPostgres other = new TestPostgres(database.url(), 2)) {
      other
          .operations()
          .executeWrite(
              status -> {
                assertThatThrownBy(() -> outbox.append(event("A")))
                    .isInstanceOf(NoTransactionException.class);
                return true;
              });
    }
    assertThat(messages()).isEmpty();
  }

  @Test
  void aCallJoinsTheTransactionThatItIsMadeIn() {
    transaction(
        status -> {
          insert(status, "outer");
          transactions.run(
              connection -> {
                assertThat(connection).isSameAs(status.getConnection());
                assertThat(transactions.current()).containsSame(connection);
                insert(connection, "unit");
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
                      transaction(status -> insert(status, "inner"));
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
                transaction(
                    status -> {
                      outbox.append(event("Outer"));
                      transaction(
                          TransactionDefinition.Propagation.REQUIRES_NEW,
                          own -> outbox.append(event("Own")));
                      assertThat(messages()).containsExactly("Own");
                      assertThat(signals).as("told of the inner commit").hasPositiveValue();
                      throw new IllegalStateException("outer");
                    }))
        .hasMessage("outer");

    assertThat(messages()).containsExactly("Own");
  }

  @Test
  void anInnerFailureThatIsSwallowedRollsTheWholeBack() {
    assertThatThrownBy(
            () ->
                transaction(
                    status -> {
                      insert(status, "a");
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
  void aCallThatWasMarkedRollbackOnlySaysSo() {
    Consumer<Consumer<TransactionStatus<?>>> marked =
        where ->
            assertThatThrownBy(
                    () ->
                        transactions.run(
                            connection -> {
                              insert(connection, "a");
                              where.accept(operations.findTransactionStatus().orElseThrow());
                            }))
                .isInstanceOf(PostroadException.class)
                .hasMessageContaining("nothing was committed")
                .hasMessageContaining("rollback-only");

    marked.accept(unit -> transaction(TransactionStatus::setRollbackOnly));
    marked.accept(TransactionStatus::setRollbackOnly);

    assertThat(things()).isEmpty();
  }

  /** The server would answer the commit with a rollback, and the driver says nothing. */
  @Test
  void aFailedStatementThatIsSwallowedFailsTheCommit() {
    Consumer<Connection> work =
        connection -> {
          insert(connection, "a");
          outbox.append(event("A"));
          assertThatThrownBy(() -> insert(connection, "a"))
              .hasRootCauseInstanceOf(SQLException.class);
        };

    assertThatThrownBy(() -> transactions.run(work::accept))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("a statement of this transaction has failed");
    assertThatThrownBy(() -> transaction(status -> work.accept(status.getConnection())))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("a statement of this transaction has failed");

    assertThat(things()).isEmpty();
    assertThat(messages()).isEmpty();
    assertThat(signals).hasValue(0);
  }

  @Test
  void aReadOnlyTransactionIsRefusedWithAWayOut() {
    boolean unused =
        operations.executeRead(
            status -> {
              assertThatThrownBy(() -> outbox.append(event("A")))
                  .isInstanceOf(NoTransactionException.class)
                  .hasMessageContaining("readOnly");
              assertThatThrownBy(() -> transactions.run(connection -> {}))
                  .isInstanceOf(NoTransactionException.class)
                  .hasMessageContaining("REQUIRES_NEW");
              return true;
            });
    assertThat(messages()).isEmpty();
  }

  /** On its connection, but in no transaction: what begins here would commit it halfway. */
  @Test
  void nothingIsPartOfACommitThatHasBegun() {
    List<Throwable> thrown = new ArrayList<>();
    transaction(
        status -> {
          insert(status, "a");
          status.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                  thrown.add(catchThrowable(() -> outbox.append(event("Late"))));
                  thrown.add(
                      catchThrowable(
                          () -> transactions.run(own -> outbox.append(event("Halfway")))));
                  assertThat(things()).as("not committed halfway").isEmpty();
                }

                @Override
                public void afterCommit() {
                  thrown.add(catchThrowable(() -> outbox.append(event("Late"))));
                }
              });
        });

    assertThat(thrown)
        .hasSize(3)
        .allSatisfy(each -> assertThat(each).isInstanceOf(NoTransactionException.class));
    assertThat(things()).containsExactly("a");
    assertThat(messages()).isEmpty();
  }

  @Test
  void aCallAfterTheCommitIsATransactionOfItsOwn() {
    transaction(
        status -> {
          insert(status, "a");
          status.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  transactions.run(own -> outbox.append(event("AfterCommit")));
                }
              });
          transactions.afterCommit(() -> transactions.run(own -> outbox.append(event("One"))));
          transactions.afterCommit(() -> transactions.run(own -> outbox.append(event("Two"))));
        });

    assertThat(messages()).containsExactlyInAnyOrder("AfterCommit", "One", "Two");
  }

  @Test
  void aCallNeedsNoSecondConnection() {
    try (TestPostgres one = new TestPostgres(database.url(), 1)) {
      MicronautJdbcTransactions alone = new MicronautJdbcTransactions(one.operations());
      List<String> after = new ArrayList<>();
      alone.run(
          connection ->
              alone.afterCommit(() -> alone.run(next -> after.add("with the same connection"))));
      assertThat(after).hasSize(1);
    }
  }

  @Test
  void noConnectionMeansNoTransaction() {
    TestPostgres closed = new TestPostgres(database.url(), 1);
    MicronautJdbcTransactions without = new MicronautJdbcTransactions(closed.operations());
    closed.close();
    assertThatThrownBy(() -> without.run(connection -> {}))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("could not begin a transaction");
  }

  private void transaction(Consumer<TransactionStatus<Connection>> work) {
    transaction(TransactionDefinition.Propagation.REQUIRED, work);
  }

  private void transaction(
      TransactionDefinition.Propagation propagation, Consumer<TransactionStatus<Connection>> work) {
    boolean unused =
        operations.execute(
            TransactionDefinition.of(propagation),
            status -> {
              work.accept(status);
              return true;
            });
  }

  private static void insert(TransactionStatus<Connection> status, String name) {
    insert(status.getConnection(), name);
  }

  private static void insert(Connection connection, String name) {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO thing VALUES (?)")) {
      statement.setString(1, name);
      statement.execute();
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
