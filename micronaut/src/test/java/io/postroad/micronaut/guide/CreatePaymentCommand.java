package io.postroad.micronaut.guide;

import io.postroad.command.DomainCommand;
import java.util.UUID;

public record CreatePaymentCommand(UUID debitAccountId, UUID transactionId, double amount)
    implements DomainCommand {}
