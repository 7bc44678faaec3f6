package io.postroad.spring.boot.order;

import io.postroad.command.DomainCommand;

/** The second step of an order. */
public record ShipOrderCommand(String orderId) implements DomainCommand {}
