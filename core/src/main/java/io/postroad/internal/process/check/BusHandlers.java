package io.postroad.internal.process.check;

import io.postroad.command.CommandBus;
import io.postroad.process.check.ProcessHandlers;
import java.util.Optional;
import java.util.Set;

/** Answers from the handlers of a command bus. Safe to use from many threads. */
public record BusHandlers(CommandBus<?> bus) implements ProcessHandlers {

  @Override
  public boolean hasHandler(String command) {
    return bus.types().contains(command);
  }

  @Override
  public Optional<Set<String>> resultKeys(String command) {
    return bus.resultType(command).flatMap(ResultKeys::of);
  }
}
