package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.DomainCommand;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.message.PostroadException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

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

  private void assertRefused(String error) {
    assertThat(reply())
        .isInstanceOfSatisfying(
            CommandReply.Failed.class, failed -> assertThat(failed.error()).contains(error));
  }

  /** Of a command that was queued, handled once. */
  private CommandReply reply() {
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
    try (CommandBus<Connection> bus = CommandBus.builder(store, codec).handlers(registry).build()) {
      UUID id = bus.accept(new PlaceOrderCommand("a"), "key-1", "order-1", Map.of());
      int unused = bus.runOnce();
      return bus.findReply(id).orElseThrow(() -> new AssertionError("it has not ended"));
    }
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
