package io.postroad.internal.process.runtime;

import io.postroad.command.CommandContext;
import io.postroad.command.CommandRequest;
import io.postroad.internal.process.engine.ProcessState;
import io.postroad.spi.NewCommand;
import java.util.LinkedHashMap;
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
  static final String TYPE = CommandRequest.KEPT + "process-type";
  static final String DEFINITION = CommandRequest.KEPT + "process-definition";
  static final String PARKED = CommandRequest.KEPT + "process-branch";

  private ProcessHeaders() {}

  static Map<String, String> of(ProcessState process, String step, boolean isParked) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(PROCESS, process.id().toString());
    headers.put(TYPE, process.type());
    headers.put(DEFINITION, process.definition());
    headers.put(STEP, step);
    if (isParked) {
      headers.put(PARKED, "true");
    }
    return headers;
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

  /** Whether the command that a handler runs for belongs to this process. */
  static boolean isOf(CommandContext<?> handler, UUID process) {
    return process.toString().equals(handler.headers().get(PROCESS));
  }

  /** What the process of a command runs on. */
  record Definition(String type, String hash) {}

  /** What the process of a command runs on. */
  static Optional<Definition> definitionOf(NewCommand command) {
    String type = command.headers().get(TYPE);
    String hash = command.headers().get(DEFINITION);
    return type == null || hash == null
        ? Optional.empty()
        : Optional.of(new Definition(type, hash));
  }

  /** Whether its reply is written down first. */
  static boolean isParked(NewCommand command) {
    return command.headers().containsKey(PARKED);
  }
}
