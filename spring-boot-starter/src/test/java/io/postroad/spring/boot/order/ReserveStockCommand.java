package io.postroad.spring.boot.order;

import io.postroad.command.DomainCommand;

/** The first step of an order. */
public record ReserveStockCommand(String orderId, int quantity) implements DomainCommand {}
