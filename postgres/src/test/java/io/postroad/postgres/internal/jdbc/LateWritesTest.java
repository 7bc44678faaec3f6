package io.postroad.postgres.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.message.PostroadException;
import io.postroad.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Writes that wait for the next statement are there, or their transaction fails. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateWritesTest {
  private TestDatabase database;
  private HikariDataSource forgiving;
  private JdbcTransactions transactions;

  /** With a savepoint of the driver's own at each statement, so that a failure can be caught. */
  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.empty("late");
    database.execute("CREATE TABLE thing (name text PRIMARY KEY)");
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.addDataSourceProperty("autosave", "always");
    config.setMaximumPoolSize(1);
    forgiving = new HikariDataSource(config);
    transactions = new JdbcTransactions(forgiving);
  }

  @BeforeEach
  void empty() throws SQLException {
    database.execute("TRUNCATE thing");
  }

  @AfterAll
  void close() {
    forgiving.close();
    database.close();
  }

  @Test
  void theyAreThereForWhatIsReadNextAndAtTheEnd() throws Exception {
    List<Integer> told = new ArrayList<>();
    List<String> seen =
        transactions.call(
            transaction ->
                transactions.together(
                    transaction,
                    unit -> {
                      insert("a").later(unit, told::add);
                      insert("b").later(unit, told::add);
                      assertThat(told).as("nothing was sent so far").isEmpty();
                      List<String> found = names().read(unit, LateWritesTest::read);
                      insert("c").later(unit, told::add);
                      return found;
                    }));

    assertThat(seen).containsExactly("a", "b");
    assertThat(told).containsExactly(1, 1, 1);
    assertThat(stored()).containsExactly("a", "b", "c");
  }

  @Test
  void outsideTheyAreWrittenAtOnce() throws Exception {
    transactions.run(
        transaction -> {
          List<Integer> told = new ArrayList<>();
          insert("a").later(transaction, told::add);
          assertThat(told).containsExactly(1);
        });

    assertThat(stored()).containsExactly("a");
  }

  @Test
  void aFailureThatSomebodyCatchesDoesNotLoseTheWritesBeforeIt() throws Exception {
    assertThatThrownBy(
            () ->
                transactions.run(
                    transaction ->
                        transactions.together(
                            transaction,
                            unit -> {
                              insert("a").later(unit, rows -> {});
                              assertThatThrownBy(() -> nothing().write(unit))
                                  .hasMessageContaining("insert a, divide");
                              return true;
                            })))
        .isInstanceOf(PostroadException.class)
        .hasMessageContaining("insert a, divide");

    assertThat(stored()).isEmpty();
  }

  @Test
  void aWriteThatMissedFailsWhateverIsCaught() throws Exception {
    assertThatThrownBy(
            () ->
                transactions.run(
                    transaction ->
                        transactions.together(
                            transaction,
                            unit -> {
                              update("nobody").later(unit, LateWritesTest::requireOne);
                              assertThatThrownBy(() -> insert("b").write(unit))
                                  .hasMessage("missed");
                              return true;
                            })))
        .hasMessage("missed");

    assertThat(stored()).isEmpty();
  }

  @Test
  void plansAreKeptLongerAsTimeGoesOn() {
    assertThat(ShortPlans.age(0)).isEqualTo(ShortPlans.age(19)).isNotEqualTo(ShortPlans.age(20));
    assertThat(ShortPlans.age(160)).isEqualTo(ShortPlans.age(299));
    assertThat(ShortPlans.age(300))
        .isNotEqualTo(ShortPlans.age(299))
        .isEqualTo(ShortPlans.age(599));
    assertThat(ShortPlans.age(600)).isNotEqualTo(ShortPlans.age(599));
  }

  private static void requireOne(int rows) {
    if (rows != 1) {
      throw new IllegalStateException("missed");
    }
  }

  private static JoinedStatement insert(String name) {
    return new JoinedStatement(
        "test",
        "insert " + name,
        "INSERT INTO thing (name) VALUES (?)",
        parameters -> parameters.add(name));
  }

  private static JoinedStatement update(String name) {
    return new JoinedStatement(
        "test",
        "update " + name,
        "UPDATE thing SET name = name WHERE name = ?",
        parameters -> parameters.add(name));
  }

  private static JoinedStatement nothing() {
    return new JoinedStatement("test", "divide", "SELECT 1 / 0", parameters -> {});
  }

  private static JoinedStatement names() {
    return new JoinedStatement(
        "test", "read names", "SELECT name FROM thing ORDER BY name", parameters -> {});
  }

  private static List<String> read(ResultSet row) throws SQLException {
    List<String> names = new ArrayList<>();
    while (row.next()) {
      names.add(row.getString(1));
    }
    return names;
  }

  private List<String> stored() throws SQLException {
    try (Connection connection = database.pool().getConnection();
        var statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT name FROM thing ORDER BY name")) {
      return read(row);
    }
  }
}
