package io.postroad.postgres.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.PostroadException;
import io.postroad.postgres.KeptConnection;
import io.postroad.postgres.TestDatabase;
import io.postroad.transaction.NoTransactionException;
import java.io.IOException;
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
import org.postgresql.PGConnection;

/** Units of work on real connections, broken ones among them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcTransactionsTest {
  private TestDatabase database;
  private HikariDataSource one;
  private JdbcTransactions transactions;

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.empty("units");
    database.execute("CREATE TABLE thing (name text PRIMARY KEY)");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setMaximumPoolSize(1);
    config.setConnectionTimeout(5_000);
    one = new HikariDataSource(config);
    transactions = new JdbcTransactions(one);
  }

  @BeforeEach
  void empty() throws SQLException {
    database.execute("TRUNCATE thing");
  }

  @AfterAll
  void close() {
    one.close();
    database.close();
  }

  @Test
  void aUnitCommitsAtItsEndAndGivesItsConnectionBack() throws Exception {
    transactions.run(connection -> insert(connection, "a"));
    transactions.run(connection -> insert(connection, "b"));

    assertThat(things()).containsExactly("a", "b");
    assertThat(transactions.current()).isEmpty();
  }

  @Test
  void anInnerUnitSharesTheConnectionAndTheOneCommit() throws Exception {
    transactions.run(
        outer -> {
          insert(outer, "outer");
          transactions.run(
              inner -> {
                assertThat(inner).isSameAs(outer);
                insert(inner, "inner");
              });
          assertThat(transactions.current()).containsSame(outer);
          assertThat(things()).as("seen from outside").isEmpty();
        });

    assertThat(things()).containsExactly("inner", "outer");
  }

  @Test
  void anInnerFailureThatIsSwallowedFailsTheOuterUnitAndCommitsNothing() throws Exception {
    IOException inner = new IOException("inner");

    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      insert(connection, "a");
                      assertThatThrownBy(
                              () ->
                                  transactions.run(
                                      joined -> {
                                        throw inner;
                                      }))
                          .isSameAs(inner);
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("nothing was committed")
        .hasCause(inner);

    assertThat(things()).isEmpty();
  }

  @Test
  void aFailedStatementThatIsSwallowedFailsTheCommit() throws Exception {
    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      insert(connection, "a");
                      assertThatThrownBy(() -> insert(connection, "a"))
                          .isInstanceOf(SQLException.class);
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("nothing was committed: a statement of this transaction has failed");

    assertThat(things()).isEmpty();
  }

  @Test
  void aConstraintThatIsCheckedAtTheCommitFailsIt() throws Exception {
    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      insert(connection, "a");
                      try (Statement statement = connection.createStatement()) {
                        statement.execute(
                            "CREATE TEMP TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED);"
                                + " INSERT INTO late VALUES (1), (1)");
                      }
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("could not commit the transaction")
        .hasMessageContaining("nothing of it was done");

    assertThat(things()).isEmpty();
  }

  @Test
  void aConnectionLostBeforeTheCommitLeavesTheOutcomeUnknownAndSaysSo() throws Exception {
    List<String> ran = new ArrayList<>();

    assertThatThrownBy(
            () ->
                transactions.run(
                    connection -> {
                      insert(connection, "a");
                      transactions.afterCommit(() -> ran.add("hook"));
                      terminate(connection);
                    }))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("its outcome is unknown");

    assertThat(ran).isEmpty();
    transactions.run(connection -> insert(connection, "the pool has a new one"));
    assertThat(things()).containsExactly("the pool has a new one");
  }

  @Test
  void aRollbackThatFailsIsAddedToTheFailureItself() throws Exception {
    IOException failure = new IOException("the work's own");

    Throwable thrown =
        catchThrowable(
            () ->
                transactions.run(
                    connection -> {
                      insert(connection, "a");
                      terminate(connection);
                      throw failure;
                    }));

    assertThat(thrown).isSameAs(failure);
    assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(SQLException.class);
    transactions.run(connection -> insert(connection, "still works"));
  }

  @Test
  void actionsAfterCommitMayOpenUnitsOfTheirOwnAndFailAlone() throws Exception {
    List<String> ran = new ArrayList<>();
    transactions.run(
        connection -> {
          insert(connection, "a");
          transactions.afterCommit(
              () -> {
                throw new IllegalStateException("thrown by the test after a commit");
              });
          transactions.afterCommit(() -> ran.addAll(readThings()));
        });

    assertThat(ran).containsExactly("a");
    assertThat(things()).containsExactly("a");
  }

  @Test
  void afterCommitOutsideAUnitIsRefused() {
    assertThatThrownBy(() -> transactions.afterCommit(() -> {}))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("Transactions.run");
  }

  @Test
  void theConnectionComesBackWithTheAutocommitItHad() throws Exception {
    for (boolean autoCommit : new boolean[] {true, false}) {
      try (KeptConnection kept = new KeptConnection(database.url(), autoCommit)) {
        JdbcTransactions units = new JdbcTransactions(kept);
        units.run(connection -> insert(connection, "kept " + autoCommit));
        assertThat(kept.autoCommit()).isEqualTo(autoCommit);
        assertThatThrownBy(
                () ->
                    units.run(
                        connection -> {
                          throw new IOException("no");
                        }))
            .isInstanceOf(IOException.class);
        assertThat(kept.autoCommit()).isEqualTo(autoCommit);
      }
    }
  }

  @Test
  void noConnectionMeansNoUnit() throws Exception {
    HikariDataSource closed = new HikariDataSource();
    closed.setJdbcUrl(database.url());
    closed.close();

    assertThatThrownBy(() -> new JdbcTransactions(closed).run(connection -> {}))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("could not begin a transaction");
  }

  private List<String> readThings() {
    try {
      return transactions.call(connection -> things());
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private List<String> things() throws SQLException {
    return database.rows("SELECT name FROM thing ORDER BY 1");
  }

  private void terminate(Connection connection) throws SQLException {
    int backend = connection.unwrap(PGConnection.class).getBackendPID();
    assertThat(database.value("SELECT pg_terminate_backend(?, 10000)", backend)).isEqualTo("t");
  }

  private static void insert(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO thing VALUES ('" + name + "')");
    }
  }
}
