package io.postroad.micronaut.order;

import io.micronaut.context.annotation.Requires;
import io.postroad.command.CommandBus;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.process.ProcessManager;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.util.Map;
import java.util.UUID;

@Singleton
@Requires(property = "test.order")
public class OrderService {
  private final OrderRows rows;
  private final Outbox<?> outbox;
  private final CommandBus<?> commands;
  private final ProcessManager<?> processes;

  OrderService(
      OrderRows rows, Outbox<?> outbox, CommandBus<?> commands, ProcessManager<?> processes) {
    this.rows = rows;
    this.outbox = outbox;
    this.commands = commands;
    this.processes = processes;
  }

  @Transactional
  public UUID place(String id, int quantity, boolean changeMyMind) {
    rows.add("orders", id);
    outbox.append(event("OrderPlaced", id));
    UUID unused =
        commands.accept("Audit", "audit-" + id, id, "{\"orderId\":\"%s\"}".formatted(id), Map.of());
    UUID process = processes.startProcess("Order", id, Map.of("orderId", id, "quantity", quantity));
    if (changeMyMind) {
      throw new IllegalStateException("changed my mind");
    }
    return process;
  }

  /** Writes all that can be written before it throws. */
  @Transactional
  public void reserve(OrderCommands.ReserveStockCommand command) {
    rows.add("reservations", command.orderId());
    outbox.append(event("StockReserved", command.orderId()));
    if (command.quantity() > 100) {
      UUID unused = place("inner-" + command.orderId(), 1, false);
      throw new IllegalArgumentException("too many");
    }
  }

  @Transactional
  public void ship(OrderCommands.ShipOrderCommand command) {
    rows.add("shipments", command.orderId());
    outbox.append(event("OrderShipped", command.orderId()));
  }

  @Transactional
  public void audit(OrderCommands.AuditCommand command) {
    rows.add("audits", command.orderId());
  }

  private static Message event(String type, String id) {
    return Message.event(type).to("orders").key(id).json("{}").build();
  }
}
