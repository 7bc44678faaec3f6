package io.postroad.process;

import io.postroad.command.CommandBus;
import java.util.Optional;
import java.util.Set;

/** What a command bus knows of its handlers. Safe to use from many threads. */
record BusHandlers(CommandBus<?> bus) implements ProcessHandlers {

  @Override
  public boolean hasHandler(String command) {
    return bus.types().contains(command);
  }

  @Override
  public Optional<Set<String>> resultKeys(String command) {
    return bus.resultType(command).flatMap(ResultKeys::of);
  }
}
