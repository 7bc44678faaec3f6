package io.postroad.micronaut.page;

import io.postroad.command.DomainCommand;
import io.postroad.message.JsonCodec;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.Connection;

/** The code of docs/learn/micronaut.md, which a test compares with this. */
final class Page {
  private Page() {}

  record Order(String id, String customer) {}

  interface OrderRepository {
    void save(Order order);

    void reserve(String orderId);
  }

  // page: begin
  @Singleton
  public static class OrderService {
    private final OrderRepository orders;
    private final Outbox<Connection> outbox; // Outbox<ClientSession> on MongoDB
    private final JsonCodec codec;

    public OrderService(OrderRepository orders, Outbox<Connection> outbox, JsonCodec codec) {
      this.orders = orders;
      this.outbox = outbox;
      this.codec = codec;
    }

    @Transactional
    public void place(Order order) {
      orders.save(order);
      outbox.append(
          Message.event("OrderPlaced")
              .to("orders")
              .key(order.customer())
              .json(order, codec)
              .build());
    }

    /** The handler of a command: one parameter, a DomainCommand whose class is named *Command. */
    @Transactional
    public void reserve(ReserveStockCommand command) {
      orders.reserve(command.orderId());
    }
  }

  public record ReserveStockCommand(String orderId) implements DomainCommand {}

  @Singleton
  public static class OrderProcess implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Order";
    }

    @Override
    public ProcessGraph defineProcess() {
      return process().startWith(ReserveStockCommand.class).end();
    }
  }
  // page: end
}
