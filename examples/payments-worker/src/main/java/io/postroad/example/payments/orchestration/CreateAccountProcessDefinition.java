package io.postroad.example.payments.orchestration;

import io.postroad.example.payments.application.command.CompleteAccountCreationCommand;
import io.postroad.example.payments.application.command.CreateAccountCommand;
import io.postroad.example.payments.application.command.CreateLimitsCommand;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessGraph;
import io.postroad.process.StartData;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Opens an account, and creates its limits if it is limit-based. Its command starts it. */
@Singleton
public class CreateAccountProcessDefinition implements ProcessConfiguration {
  public static final String TYPE = "AccountCreation";

  @Override
  public String getProcessType() {
    return TYPE;
  }

  @Override
  public Optional<StartData> startData() {
    return Optional.of(StartData.of(CreateAccountCommand.class));
  }

  @Override
  public ProcessGraph defineProcess() {
    return process()
        .startWith(CreateAccountCommand.class)
        .thenIf("limitBased", data -> Boolean.TRUE.equals(data.get("limitBased")))
        .whenTrue(CreateLimitsCommand.class)
        .then(CompleteAccountCreationCommand.class)
        .end();
  }
}
