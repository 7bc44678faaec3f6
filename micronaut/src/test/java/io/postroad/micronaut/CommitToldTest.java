package io.postroad.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.support.TransactionSynchronization;
import io.postroad.message.PostroadException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Other synchronizations of a transaction, which throw or write. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitToldTest {
  private TestPostgres database;
  private TransactionOperations<Connection> operations;
  private MicronautJdbcTransactions transactions;
  private final List<String> told = new ArrayList<>();

  @BeforeAll
  void create() {
    database = new TestPostgres("micronaut_told");
    database.execute("CREATE TABLE thing (name text PRIMARY KEY)");
    operations = database.operations();
    transactions = new MicronautJdbcTransactions(operations);
  }

  @BeforeEach
  void empty() {
    database.execute("TRUNCATE thing");
    told.clear();
  }

  @AfterAll
  void close() {
    database.close();
  }

  @Test
  void aCallIsCommittedThoughAnEarlierSynchronizationThrows() {
    String result =
        transactions.call(
            connection -> {
              insert(connection, "a");
              transactions.afterCommit(() -> told.add("after commit"));
              register(throwingAfterCompletion());
              return "done";
            });

    assertThat(result).isEqualTo("done");
    assertThat(told).containsExactly("after commit");
    assertThat(things()).containsExactly("a");
  }

  /** It has no result whose presence could tell that it was done. */
  @Test
  @SuppressWarnings("NullAway") // what returns null is allowed to
  void soIsACallThatReturnsNothing() {
    assertThatCode(
            () ->
                transactions.call(
                    connection -> {
                      insert(connection, "a");
                      transactions.afterCommit(() -> told.add("after commit"));
                      register(throwingAfterCommit());
                      return null;
                    }))
        .doesNotThrowAnyException();

    assertThat(told).containsExactly("after commit");
    assertThat(things()).containsExactly("a");
  }

  @Test
  void actionsOfAForeignTransactionRunThoughAnotherThrows() {
    assertThatThrownBy(
            () ->
                operations.executeWrite(
                    status -> {
                      insert(status.getConnection(), "a");
                      transactions.afterCommit(() -> told.add("after commit"));
                      register(throwingAfterCompletion());
                      return true;
                    }))
        .hasMessage("told");

    assertThat(told).containsExactly("after commit");
    assertThat(things()).containsExactly("a");
  }

  /** PostgreSQL would roll back without an error. */
  @Test
  void aStatementThatFailsWhileOthersAreToldFailsTheCommit() {
    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      insert(connection, "a");
                      register(
                          new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                              assertThatThrownBy(() -> insert(connection, "a"))
                                  .hasRootCauseInstanceOf(SQLException.class);
                            }
                          });
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("a statement of this transaction has failed");
    assertThat(things()).isEmpty();
  }

  private void register(TransactionSynchronization synchronization) {
    operations.findTransactionStatus().orElseThrow().registerSynchronization(synchronization);
  }

  private static TransactionSynchronization throwingAfterCompletion() {
    return new TransactionSynchronization() {
      @Override
      public int getOrder() {
        return -1;
      }

      @Override
      public void afterCompletion(Status status) {
        throw new IllegalStateException("told");
      }
    };
  }

  private static TransactionSynchronization throwingAfterCommit() {
    return new TransactionSynchronization() {
      @Override
      public int getOrder() {
        return -1;
      }

      @Override
      public void afterCommit() {
        throw new IllegalStateException("told");
      }
    };
  }

  private static void insert(Connection connection, String name) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO thing VALUES ('%s')".formatted(name));
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private List<String> things() {
    return database.seen("SELECT name FROM thing ORDER BY 1");
  }
}
