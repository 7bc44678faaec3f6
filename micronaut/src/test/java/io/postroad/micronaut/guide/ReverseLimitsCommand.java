package io.postroad.micronaut.guide;

import io.postroad.command.DomainCommand;
import java.util.UUID;

public record ReverseLimitsCommand(UUID limitId) implements DomainCommand {}
