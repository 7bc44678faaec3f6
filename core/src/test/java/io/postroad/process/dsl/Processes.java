package io.postroad.process.dsl;

import io.postroad.process.Commands.BookFxCommand;
import io.postroad.process.Commands.BookLimitsCommand;
import io.postroad.process.Commands.CreatePaymentCommand;
import io.postroad.process.Commands.CreateTransactionCommand;
import io.postroad.process.Commands.InitiateCommand;
import io.postroad.process.Commands.ReverseLimitsCommand;
import io.postroad.process.Commands.ReverseTransactionCommand;
import io.postroad.process.Commands.UnwindFxCommand;
import io.postroad.process.Commands.ValidateBeneficiaryCommand;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;

/** The processes of the guide that several tests use, and a beginning for others. */
public final class Processes {
  private Processes() {}

  /** Begins a process of the type {@code Test}. */
  public static ProcessGraphBuilder process() {
    return new ProcessGraphBuilder("Test");
  }

  /** Section 2.3, word for word. */
  public static final class SimplePaymentProcessDefinition implements ProcessConfiguration {

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

  public static ProcessGraph payment() {
    return new SimplePaymentProcessDefinition().defineProcess();
  }

  /** Section 5.2.3, word for word. */
  public static ProcessGraph parallel() {
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
