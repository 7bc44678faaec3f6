package io.postroad.process;

import io.postroad.process.Commands.BookFxCommand;
import io.postroad.process.Commands.BookLimitsCommand;
import io.postroad.process.Commands.CreatePaymentCommand;
import io.postroad.process.Commands.CreateTransactionCommand;
import io.postroad.process.Commands.InitiateCommand;
import io.postroad.process.Commands.ReverseLimitsCommand;
import io.postroad.process.Commands.ReverseTransactionCommand;
import io.postroad.process.Commands.UnwindFxCommand;
import io.postroad.process.Commands.ValidateBeneficiaryCommand;

/** The processes of the guide that several tests use, and a beginning for others. */
final class Processes {
  private Processes() {}

  /** Begins a process of the type {@code Test}. */
  static ProcessGraphBuilder process() {
    return new ProcessGraphBuilder("Test");
  }

  /** Section 2.3, word for word. */
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

  static ProcessGraph payment() {
    return new SimplePaymentProcessDefinition().defineProcess();
  }

  /** Section 5.2.3, word for word. */
  static ProcessGraph parallel() {
    return process()
        .startWith(InitiateCommand.class)
        .thenParallel()
        .branch(BookFxCommand.class)
        .branch(BookLimitsCommand.class)
        .branch(ValidateBeneficiaryCommand.class)
        .joinAt(CreatePaymentCommand.class)
        .end();
  }
}
