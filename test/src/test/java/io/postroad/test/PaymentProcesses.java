package io.postroad.test;

import io.postroad.command.DomainCommand;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StepRetry;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/** The payment of the guide and a loan, for tests of the fixture. */
final class PaymentProcesses {
  private PaymentProcesses() {}

  record BookLimitsCommand(String customerId, BigDecimal amount) implements DomainCommand {}

  record ReverseLimitsCommand(String limitId) implements DomainCommand {}

  record BookFxCommand(BigDecimal amount, Optional<String> currency) implements DomainCommand {}

  record UnwindFxCommand(String fxContractId) implements DomainCommand {}

  record CreateTransactionCommand(String limitId) implements DomainCommand {}

  record ReverseTransactionCommand(String transactionId) implements DomainCommand {}

  record CreatePaymentCommand(String transactionId) implements DomainCommand {}

  record PayOutCommand(String account) implements DomainCommand {}

  record TakeBackCommand(String stepKey) implements DomainCommand {}

  record CollectCommand(String account) implements DomainCommand {}

  record RemindCommand(String businessKey) implements DomainCommand {}

  /** The guide's, as it is written there. */
  static final class SimplePaymentProcessDefinition implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "SimplePayment";
    }

    @Override
    public ProcessGraph defineProcess() {
      return process()
          .startWith(BookLimitsCommand.class)
          .withCompensation(ReverseLimitsCommand.class)
          .thenIf(data -> (Boolean) data.get("requiresFx"))
          .whenTrue(BookFxCommand.class)
          .withCompensation(UnwindFxCommand.class)
          .then(CreateTransactionCommand.class)
          .withCompensation(ReverseTransactionCommand.class)
          .then(CreatePaymentCommand.class)
          .end();
    }
  }

  /** Paid out by another service, collected half a year later, unless a signal does not come. */
  static final class LoanProcess implements ProcessConfiguration {
    @Override
    public String getProcessType() {
      return "Loan";
    }

    @Override
    public ProcessGraph defineProcess() {
      return process()
          .startWith(PayOutCommand.class)
          .withCompensation(TakeBackCommand.class)
          .withTimeout(Duration.ofMinutes(5))
          .withRetry(StepRetry.of(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
          .thenWait("term", Duration.ofDays(180))
          .thenAwait("statement", Duration.ofDays(30))
          .thenParallel()
          .branch("Principal", CollectCommand.class)
          .branch("Interest", CollectCommand.class)
          .joinAt(RemindCommand.class)
          .end();
    }
  }
}
