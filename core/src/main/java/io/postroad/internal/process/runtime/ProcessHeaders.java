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
 * Headers in the row of a command that lead its reply back to the process. They do not leave this
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

  /** Returns the process that a command belongs to. */
  static Optional<UUID> processOf(NewCommand command) {
    try {
      return Optional.ofNullable(command.headers().get(PROCESS)).map(UUID::fromString);
    } catch (IllegalArgumentException foreign) {
      // A header of the same name that another component has set.
      return Optional.empty();
    }
  }

  /** Returns whether a handler runs for a command of this process. */
  static boolean isOf(CommandContext<?> handler, UUID process) {
    return process.toString().equals(handler.headers().get(PROCESS));
  }

  /** The definition that the process of a command runs on. */
  record Definition(String type, String hash) {}

  /** Returns the definition that the process of a command runs on. */
  static Optional<Definition> definitionOf(NewCommand command) {
    String type = command.headers().get(TYPE);
    String hash = command.headers().get(DEFINITION);
    return type == null || hash == null
        ? Optional.empty()
        : Optional.of(new Definition(type, hash));
  }

  /** Returns whether the reply waits in the store for a second transaction. */
  static boolean isParked(NewCommand command) {
    return command.headers().containsKey(PARKED);
  }
}
