package io.postroad.spring.boot.payment;

import io.postroad.command.DomainCommand;

/** Asks for a refund under an id of its own. */
public record RefundPaymentCommand(String refundId) implements DomainCommand {}
