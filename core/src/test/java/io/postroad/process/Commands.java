package io.postroad.process;

import io.postroad.command.DomainCommand;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.UUID;

/** The commands of the guide's examples. */
final class Commands {
  private Commands() {}

  record BookLimitsCommand(UUID customerId, BigDecimal amount) implements DomainCommand {}

  record ReverseLimitsCommand(UUID limitId) implements DomainCommand {}

  record BookFxCommand(BigDecimal amount, Optional<String> currency) implements DomainCommand {}

  record UnwindFxCommand(UUID fxContractId) implements DomainCommand {}

  record CreateTransactionCommand(UUID limitId) implements DomainCommand {}

  record ReverseTransactionCommand(UUID transactionId) implements DomainCommand {}

  record CreatePaymentCommand(UUID transactionId, String stepKey) implements DomainCommand {}

  record Step1Command() implements DomainCommand {}

  record Step2Command() implements DomainCommand {}

  record Step3Command() implements DomainCommand {}

  record Undo1Command() implements DomainCommand {}

  record ValidateCommand() implements DomainCommand {}

  record ProcessCommand() implements DomainCommand {}

  record CompleteCommand() implements DomainCommand {}

  record RejectCommand() implements DomainCommand {}

  record InitiateCommand() implements DomainCommand {}

  record ValidateBeneficiaryCommand() implements DomainCommand {}

  record NotifyCommand() implements DomainCommand {}

  record CreateAccountCommand() implements DomainCommand {}

  record CreateLimitsCommand() implements DomainCommand {}

  record CompleteAccountCreationCommand(UUID accountId) implements DomainCommand {}

  /** Takes all data. */
  static final class ArchiveCommand implements DomainCommand {}
}
