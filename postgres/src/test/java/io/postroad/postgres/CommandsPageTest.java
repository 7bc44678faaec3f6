package io.postroad.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.command.AutoCommandHandlerRegistry;
import io.postroad.command.CommandBus;
import io.postroad.command.CommandReply;
import io.postroad.command.DomainCommand;
import io.postroad.jackson.JacksonJsonCodec;
import io.postroad.message.JsonCodec;
import io.postroad.spi.CommandStore;
import io.postroad.transaction.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The samples of {@code docs/learn/commands.md} that need no broker. */
class CommandsPageTest {

  /** The command of the page. */
  public record CreateOrderCommand(UUID customerId, String item) implements DomainCommand {
    public CreateOrderCommand {
      if (customerId == null) {
        throw new IllegalArgumentException("customerId is required");
      }
    }
  }

  /** What becomes the data of the reply. */
  public record Order(long orderId, String item) {}

  /** One that a handler by hand has. */
  public record CancelOrderCommand(long orderId) implements DomainCommand {}

  /** The service of the page. */
  public static class OrderService {
    private final Transactions<Connection> units; // the units of work of the bus

    OrderService(Transactions<Connection> units) {
      this.units = units;
    }

    public Order createOrder(CreateOrderCommand command) throws SQLException {
      return units.call(connection -> insertOrder(connection, command));
    }

    private static Order insertOrder(Connection connection, CreateOrderCommand command)
        throws SQLException {
      change(connection, "INSERT INTO orders (id, item) VALUES (1, ?)", command.item());
      return new Order(1, command.item());
    }
  }

  private static void change(Connection connection, String sql, Object value) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, value);
      statement.executeUpdate();
    }
  }

  @Test
  void aBusWithoutABroker() throws Exception {
    try (TestDatabase database = TestDatabase.migrated("commands_page")) {
      database.execute("CREATE TABLE orders (id bigint, item text)");
      JsonCodec codec = JacksonJsonCodec.create();
      CommandStore<Connection> store =
          PostgresCommandStore.open(database.pool(), database.options());
      AutoCommandHandlerRegistry<Connection> registry =
          AutoCommandHandlerRegistry.<Connection>builder(codec)
              .bean(new OrderService(store.transactions()))
              .on(
                  CancelOrderCommand.class,
                  (command, context) -> {
                    change(
                        context.transaction(),
                        "DELETE FROM orders WHERE id = ?",
                        command.orderId());
                    return null;
                  })
              .build();
      CommandBus<Connection> bus = CommandBus.builder(store, codec).handlers(registry).build();
      bus.start();
      String json = "{\"customerId\":\"%s\",\"item\":\"book\"}".formatted(UUID.randomUUID());

      UUID id = bus.accept("CreateOrder", "request-1", "order-456", json, Map.of());
      CommandReply reply = bus.await(id).get(60, TimeUnit.SECONDS);
      UUID cancelled = bus.accept(new CancelOrderCommand(1), "request-2", "order-456", Map.of());
      CommandReply second = bus.await(cancelled).get(60, TimeUnit.SECONDS);

      bus.close();
      store.close();
      assertThat(reply)
          .isEqualTo(CommandReply.completed(id, id, Map.of("orderId", 1, "item", "book")));
      assertThat(second).isEqualTo(CommandReply.completed(cancelled, cancelled, Map.of()));
    }
  }
}
