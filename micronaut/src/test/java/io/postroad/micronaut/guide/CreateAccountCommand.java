package io.postroad.micronaut.guide;

import io.postroad.command.DomainCommand;
import java.util.UUID;

public record CreateAccountCommand(
    UUID customerId,
    String currencyCode,
    AccountType accountType,
    String transitNumber,
    boolean limitBased)
    implements DomainCommand {
  // Validation in compact constructor if needed
  public CreateAccountCommand {
    if (customerId == null) {
      throw new IllegalArgumentException("customerId is required");
    }
  }
}
