package io.postroad.process;

import io.postroad.store.NewCommand;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What a command of a process carries, so that its reply finds back. */
final class ProcessHeaders {
  static final String PROCESS = "process-id";
  static final String STEP = "process-step";
  static final String PARKED = "process-branch";

  private ProcessHeaders() {}

  static Map<String, String> of(UUID process, String step, boolean isParked) {
    return isParked
        ? Map.of(PROCESS, process.toString(), STEP, step, PARKED, "true")
        : Map.of(PROCESS, process.toString(), STEP, step);
  }

  /** The process that a command belongs to. */
  static Optional<UUID> processOf(NewCommand command) {
    try {
      return Optional.ofNullable(command.headers().get(PROCESS)).map(UUID::fromString);
    } catch (IllegalArgumentException foreign) {
      // Somebody else's header of that name.
      return Optional.empty();
    }
  }

  /** Whether its reply is written down first. */
  static boolean isParked(NewCommand command) {
    return command.headers().containsKey(PARKED);
  }
}
