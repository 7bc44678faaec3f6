package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.CommandRequest;
import io.postroad.command.DomainCommand;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.message.PostroadException;
import io.postroad.spi.InboxEntry;
import io.postroad.transaction.TransactionEndedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that ends the transaction of its unit by itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class HandlerRollbackTest {
  record PlaceOrderCommand(String name) implements DomainCommand {}

  private interface Work {
    void on(Connection connection) throws SQLException;
  }

  private TestDatabase database;
  private PostgresCommandStore store;
  private volatile Work work = connection -> {};

  @BeforeAll
  void create() throws SQLException {
    database = TestDatabase.migrated("handler_rollback");
    database.execute("CREATE TABLE orders (name text)");
    store = PostgresCommandStore.open(database.pool(), database.options());
  }

  @BeforeEach
  void empty() throws SQLException {
    database.reset();
    database.execute("TRUNCATE orders");
  }

  @AfterAll
  void close() {
    store.close();
    database.close();
  }

  @Test
  void aHandlerThatRollsBackAndReturnsHasFailed() throws Exception {
    work =
        connection -> {
          place(connection, "lost");
          connection.rollback();
        };

    assertRefused("called rollback()");
    assertThat(orders()).isZero();
  }

  @Test
  void aHandlerThatRollsBackAndGoesOnHasFailed() throws Exception {
    work =
        connection -> {
          place(connection, "lost");
          connection.rollback();
          place(connection, "half");
        };

    assertRefused("called rollback()");
    assertThat(orders()).isZero();
  }

  @Test
  void aHandlerThatCommitsIsRefused() throws Exception {
    work =
        connection -> {
          place(connection, "half");
          connection.commit();
        };

    assertRefused("commit() is refused");
    assertThat(orders()).isZero();
  }

  @Test
  void aHandlerThatSwitchesToAutocommitIsRefused() throws Exception {
    work =
        connection -> {
          place(connection, "half");
          connection.setAutoCommit(true);
        };

    assertRefused("setAutoCommit() is refused");
    assertThat(orders()).isZero();
  }

  @Test
  void aSavepointBelongsToTheHandler() throws Exception {
    work =
        connection -> {
          place(connection, "kept");
          Savepoint before = connection.setSavepoint();
          place(connection, "taken back");
          connection.rollback(before);
        };

    assertThat(reply()).isInstanceOf(CommandReply.Completed.class);
    assertThat(orders()).isEqualTo(1);
  }

  @Test
  void aHandlerThatRollsBackAndThrowsFailsWithItsOwnException() throws Exception {
    work =
        connection -> {
          place(connection, "lost");
          connection.rollback();
          throw new SQLException("no such account");
        };

    assertRefused("no such account");
  }

  @Test
  void aUnitThatRollsBackAndReturnsCommitsNothing() throws Exception {
    assertThatExceptionOfType(PostroadException.class)
        .isThrownBy(
            () ->
                store
                    .transactions()
                    .run(
                        connection -> {
                          place(connection, "lost");
                          connection.rollback();
                          place(connection, "half");
                        }))
        .withMessageContaining("called rollback()");
    assertThat(orders()).isZero();
  }

  /** With one statement for all: nothing is called on the connection after the first of them. */
  @ParameterizedTest
  @ValueSource(strings = {"ROLLBACK", "ROLLBACK AND CHAIN", "ROLLBACK; BEGIN"})
  void aHandlerThatRollsBackInSqlAndGoesOnHasFailed(String sql) throws Exception {
    work = connection -> runAll(connection, insert("lost"), sql, insert("half"));

    assertRefused("called rollback() or commit(), in Java or as SQL");
    assertThat(orders()).isZero();
  }

  @Test
  void aHandlerThatCommitsInSqlHasFailed() throws Exception {
    work = connection -> runAll(connection, insert("half"), "COMMIT");

    assertRefused("called ROLLBACK or COMMIT");
    assertThat(orders()).as("what the handler has committed itself").isEqualTo(1);
  }

  /**
   * Sessions with a limit of their own: the handler's statement is the first of its transaction.
   */
  @ParameterizedTest
  @ValueSource(strings = {"ROLLBACK", "COMMIT"})
  void aHandlerThatEndsATransactionThatItsOwnStatementBeganHasFailed(String sql) throws Exception {
    work = connection -> runAll(connection, insert("a"), sql);
    HikariConfig config = new HikariConfig();
    database.pool().copyStateTo(config);
    config.setConnectionInitSql("SET idle_in_transaction_session_timeout = '60s'");
    try (HikariDataSource limited = new HikariDataSource(config);
        PostgresCommandStore limitedStore = PostgresCommandStore.open(limited, database.options());
        CommandBus<Connection> bus = bus(limitedStore)) {
      bus.start();

      assertThat(
              bus.submit(CommandRequest.of("PlaceOrder", "key-2", "order-1", "{\"name\":\"a\"}"))
                  .get(100, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              CommandReply.Failed.class,
              failed -> assertThat(failed.error()).contains("on its transaction"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ROLLBACK", "ROLLBACK AND CHAIN", "COMMIT", "COMMIT AND CHAIN"})
  void aHandlerOfAMessageThatEndsItsTransactionAndGoesOnCommitsNothingMore(String sql)
      throws Exception {
    try (PostgresInboxStore inbox = PostgresInboxStore.open(database.pool(), database.options())) {
      assertThatExceptionOfType(TransactionEndedException.class)
          .isThrownBy(
              () ->
                  inbox
                      .transactions()
                      .run(
                          connection -> {
                            var unused =
                                inbox.enter(
                                    connection,
                                    new InboxEntry("m-1", "billing", Optional.of("a")),
                                    Duration.ofMinutes(1));
                            runAll(connection, insert("before"), sql, insert("half"));
                          }))
          .withMessageContaining("on its transaction");
    }
    assertThat(database.value("SELECT count(*) FROM orders WHERE name = 'half'")).isEqualTo("0");
  }

  private static String insert(String name) {
    return "INSERT INTO orders VALUES ('" + name + "')";
  }

  private static void runAll(Connection connection, String... all) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : all) {
        statement.execute(sql);
      }
    }
  }

  private void assertRefused(String error) {
    assertThat(reply())
        .isInstanceOfSatisfying(
            CommandReply.Failed.class, failed -> assertThat(failed.error()).contains(error));
  }

  /** Of a command that was queued, handled once. */
  private CommandReply reply() {
    try (CommandBus<Connection> bus = bus(store)) {
      UUID id = bus.accept(new PlaceOrderCommand("a"), "key-1", "order-1", Map.of());
      int unused = bus.runOnce();
      return bus.findReply(id).orElseThrow(() -> new AssertionError("it has not ended"));
    }
  }

  private CommandBus<Connection> bus(PostgresCommandStore store) {
    JsonCodec codec = JacksonJsonCodec.create();
    AutoCommandHandlerRegistry<Connection> registry =
        AutoCommandHandlerRegistry.<Connection>builder(codec)
            .on(
                PlaceOrderCommand.class,
                (command, context) -> {
                  work.on(context.transaction());
                  return Map.of();
                })
            .build();
    return CommandBus.builder(store, codec).handlers(registry).build();
  }

  private static void place(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO orders VALUES ('" + name + "')");
    }
  }

  private long orders() throws SQLException {
    return Long.parseLong(database.value("SELECT count(*) FROM orders"));
  }
}
