package io.postroad.process;

import io.postroad.command.CommandRequest;
import io.postroad.store.NewCommand;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the row of a process's command carries, so that its reply finds back. It does not leave this
 * database: a service that handles the command may have processes of its own.
 */
final class ProcessHeaders {
  static final String PROCESS = CommandRequest.KEPT + "process-id";
  static final String STEP = CommandRequest.KEPT + "process-step";
  static final String PARKED = CommandRequest.KEPT + "process-branch";

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
