package io.postroad.command;

import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An idempotency key is taken: its command has ended, or it is another command. Nothing was
 * changed, and the transaction of the caller can go on.
 */
public final class DuplicateCommandException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final UUID commandId;
  private final boolean sameCommand;
  private final transient @Nullable CommandReply reply;

  private DuplicateCommandException(
      String message, UUID commandId, boolean sameCommand, @Nullable CommandReply reply) {
    super(message);
    this.commandId = commandId;
    this.sameCommand = sameCommand;
    this.reply = reply;
  }

  public static DuplicateCommandException ended(String key, CommandReply reply) {
    return new DuplicateCommandException(
        "Duplicate idempotency key: %s; command %s has ended already (%s), see reply()"
            .formatted(key, reply.commandId(), reply.getClass().getSimpleName()),
        reply.commandId(),
        true,
        reply);
  }

  public static DuplicateCommandException different(
      String key, UUID commandId, String type, Optional<CommandReply> reply) {
    return new DuplicateCommandException(
        "Duplicate idempotency key: %s; command %s (%s) has it, with another type or payload; give"
                .formatted(key, commandId, type)
            + " each command a key of its own, for example processId:stepName",
        commandId,
        false,
        reply.orElse(null));
  }

  /** The command that has the key. */
  public UUID commandId() {
    return commandId;
  }

  /** Whether it is the same command, by type and payload. */
  public boolean sameCommand() {
    return sameCommand;
  }

  /** How it ended; empty when it has not. Lost when the exception is serialized. */
  public Optional<CommandReply> reply() {
    return Optional.ofNullable(reply);
  }
}
