package io.postroad.example.payments.application.command;

import io.postroad.command.DomainCommand;
import java.util.UUID;

/** Ends the creation of an account, with or without limits. */
public record CompleteAccountCreationCommand(UUID accountId) implements DomainCommand {
  public CompleteAccountCreationCommand {
    Check.required("accountId", accountId);
  }
}
