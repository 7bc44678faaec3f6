package io.postroad.spring.boot.order;

import io.postroad.command.DomainCommand;

/** A command without a process. */
public record AuditCommand(String orderId) implements DomainCommand {}
