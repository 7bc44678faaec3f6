package io.postroad.internal.process.check;

import io.postroad.internal.command.StepCommands;
import io.postroad.process.check.ProcessHandlers;
import java.util.Optional;
import java.util.Set;

/** Answers from the handlers of a command bus. Safe to use from many threads. */
public record BusHandlers(StepCommands<?> steps) implements ProcessHandlers {

  @Override
  public boolean hasHandler(String command) {
    return steps.types().contains(command);
  }

  @Override
  public Optional<Set<String>> resultKeys(String command) {
    return steps.resultType(command).flatMap(ResultKeys::of);
  }
}
