package io.postroad.spring.boot.order;

import io.postroad.command.CommandBus;
import io.postroad.message.Message;
import io.postroad.outbox.Outbox;
import io.postroad.process.ProcessManager;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Starts processes, and has the handlers of their steps: so it needs the manager that needs it. */
@Service
public class OrderService {
  private final OrderRows rows;
  private final Outbox<?> outbox;
  private final CommandBus<?> bus;
  private final ProcessManager<?> processes;

  public OrderService(
      OrderRows rows, Outbox<?> outbox, CommandBus<?> bus, ProcessManager<?> processes) {
    this.rows = rows;
    this.outbox = outbox;
    this.bus = bus;
    this.processes = processes;
  }

  @Transactional
  public UUID place(String orderId, int quantity, boolean changeOfMind) {
    rows.insert("orders", orderId);
    UUID processId =
        processes.startProcess("Order", orderId, Map.of("orderId", orderId, "quantity", quantity));
    bus.accept("Audit", "audit-" + orderId, orderId, "{\"orderId\":\"" + orderId + "\"}", Map.of());
    append("OrderPlaced", orderId);
    if (changeOfMind) {
      throw new IllegalStateException("changed my mind");
    }
    return processId;
  }

  @Transactional
  public void reserve(ReserveStockCommand command) {
    rows.insert("reservations", command.orderId());
    append("StockReserved", command.orderId());
    if (command.quantity() > 100) {
      UUID unused = place("inner-" + command.orderId(), 1, false);
      throw new IllegalStateException("out of stock");
    }
  }

  @Transactional
  public void ship(ShipOrderCommand command) {
    rows.insert("shipments", command.orderId());
    append("OrderShipped", command.orderId());
  }

  private void append(String type, String orderId) {
    var unused = outbox.append(Message.event(type).to("orders").key(orderId).json("{}").build());
  }
}
