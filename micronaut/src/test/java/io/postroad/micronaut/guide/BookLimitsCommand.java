package io.postroad.micronaut.guide;

import io.postroad.command.DomainCommand;
import java.util.UUID;

public record BookLimitsCommand(UUID debitAccountId, double amount) implements DomainCommand {}
