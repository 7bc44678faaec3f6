package io.postroad.process;

import io.postroad.command.DomainCommand;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.UUID;

/** The commands of the guide's examples. */
public final class Commands {
  private Commands() {}

  public record BookLimitsCommand(UUID customerId, BigDecimal amount) implements DomainCommand {}

  public record ReverseLimitsCommand(UUID limitId) implements DomainCommand {}

  public record BookFxCommand(BigDecimal amount, Optional<String> currency)
      implements DomainCommand {}

  public record UnwindFxCommand(UUID fxContractId) implements DomainCommand {}

  public record CreateTransactionCommand(UUID limitId) implements DomainCommand {}

  public record ReverseTransactionCommand(UUID transactionId) implements DomainCommand {}

  public record CreatePaymentCommand(UUID transactionId, String stepKey) implements DomainCommand {}

  public record Step1Command() implements DomainCommand {}

  public record Step2Command() implements DomainCommand {}

  public record Step3Command() implements DomainCommand {}

  public record Undo1Command() implements DomainCommand {}

  public record ValidateCommand() implements DomainCommand {}

  public record ProcessCommand() implements DomainCommand {}

  public record CompleteCommand() implements DomainCommand {}

  public record RejectCommand() implements DomainCommand {}

  public record InitiateCommand() implements DomainCommand {}

  public record ValidateBeneficiaryCommand() implements DomainCommand {}

  public record NotifyCommand() implements DomainCommand {}

  public record CreateAccountCommand() implements DomainCommand {}

  record CreateLimitsCommand() implements DomainCommand {}

  public record CompleteAccountCreationCommand(UUID accountId) implements DomainCommand {}

  /** Takes all data. */
  public static final class ArchiveCommand implements DomainCommand {}
}
