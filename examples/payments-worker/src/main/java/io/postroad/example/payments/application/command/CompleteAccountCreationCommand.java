package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import java.util.UUID;

/** Ends the creation of an account: where the ways with and without limits meet. */
public record CompleteAccountCreationCommand(UUID accountId) implements DomainCommand {
  public CompleteAccountCreationCommand {
    Check.required("accountId", accountId);
  }
}
