package io.postroad.micronaut.guide;

import io.postroad.command.DomainCommand;
import java.util.UUID;

public record UnwindFxCommand(UUID fxContractId) implements DomainCommand {}
