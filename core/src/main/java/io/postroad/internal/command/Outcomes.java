package io.postroad.internal.command;

import io.postroad.command.CommandReply;
import io.postroad.command.FailureCode;
import io.postroad.message.JsonCodec;
import io.postroad.spi.CommandOutcome;
import io.postroad.spi.NewCommand;
import io.postroad.spi.StoredCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Converts replies to outcomes, as the store keeps them, and back. Safe to use from many threads.
 */
public final class Outcomes {
  private static final String NO_REASON = "no reason given";

  private final JsonCodec codec;

  public Outcomes(JsonCodec codec) {
    this.codec = codec;
  }

  CommandOutcome of(CommandReply reply) {
    if (reply instanceof CommandReply.Completed completed) {
      return CommandOutcome.completed(codec.encode(completed.data()));
    }
    if (reply instanceof CommandReply.Failed failed) {
      return CommandOutcome.failed(failed.code().name(), failed.error());
    }
    return CommandOutcome.timedOut(((CommandReply.TimedOut) reply).error());
  }

  /** Returns the code of a reply. */
  static String codeOf(CommandReply reply) {
    if (reply instanceof CommandReply.Failed failed) {
      return failed.code().name();
    }
    return reply instanceof CommandReply.Completed
        ? CommandOutcome.COMPLETED
        : CommandOutcome.TIMED_OUT;
  }

  /** Returns the reply of a command; empty while it has not ended. */
  public Optional<CommandReply> reply(StoredCommand stored) {
    return stored.outcome().map(outcome -> reply(stored.command(), outcome));
  }

  CommandReply reply(NewCommand command, CommandOutcome outcome) {
    UUID id = command.id();
    UUID correlationId = command.correlationId();
    String error = outcome.error().orElse(NO_REASON);
    if (outcome.isTimedOut()) {
      return CommandReply.timedOut(id, correlationId, error);
    }
    if (outcome.code().equals(CommandOutcome.COMPLETED)) {
      return CommandReply.completed(id, correlationId, data(outcome.data().orElse("{}")));
    }
    return CommandReply.failed(id, correlationId, error, code(outcome.code()));
  }

  Map<String, Object> data(String json) {
    Map<String, Object> data = new LinkedHashMap<>();
    Map<?, ?> decoded = codec.decode(json, Map.class);
    decoded.forEach((name, value) -> data.put(String.valueOf(name), value));
    return data;
  }

  /** Reads a code. One of another version counts as a business failure. */
  static FailureCode code(String name) {
    for (FailureCode code : FailureCode.values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    return FailureCode.BUSINESS;
  }
}
