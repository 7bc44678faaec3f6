package io.postroad.micronaut.order;

import io.postroad.command.DomainCommand;

/** What the steps of the process ask for. */
final class OrderCommands {
  private OrderCommands() {}

  record ReserveStockCommand(String orderId, int quantity) implements DomainCommand {}

  record ShipOrderCommand(String orderId) implements DomainCommand {}

  record AuditCommand(String orderId) implements DomainCommand {}
}
