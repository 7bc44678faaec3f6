package io.postroad.micronaut.guide;

import io.micronaut.context.annotation.Requires;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import jakarta.inject.Singleton;

@Singleton
@Requires(env = "guide")
public class SimplePaymentProcessDefinition implements ProcessConfiguration {

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

  @Override
  public boolean isRetryable(String step, String error) {
    return false;
  }
}
