package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import io.postroad.example.payments.domain.model.AccountLimitDefinition;
import java.util.List;
import java.util.UUID;

/** Gives an account its limits. */
public record CreateLimitsCommand(UUID accountId, List<AccountLimitDefinition> limits)
    implements DomainCommand {
  public CreateLimitsCommand {
    Check.required("accountId", accountId);
    Check.that(limits != null && !limits.isEmpty(), "limits are required");
    limits = List.copyOf(limits);
  }
}
