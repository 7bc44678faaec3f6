package io.postroad.micronaut.guide;

import io.postroad.command.DomainCommand;
import java.util.UUID;

public record CreateTransactionCommand(UUID debitAccountId, UUID limitId, double amount)
    implements DomainCommand {}
