package io.postroad.command;

import io.postroad.spi.NewCommand;
import java.time.Duration;
import java.util.UUID;

/**
 * An event of a command. {@code docs/reference/command-signals.md} lists all of them, with their
 * time relative to a commit. No signal has a payload.
 */
public sealed interface CommandSignal {

  /** The command that a signal is about. */
  record Subject(UUID commandId, String type, String idempotencyKey, String businessKey) {
    public static Subject of(NewCommand command) {
      return new Subject(
          command.id(), command.type(), command.idempotencyKey(), command.businessKey());
    }
  }

  /** Accepted for the first time; inside the caller's transaction, which may still roll back. */
  record Accepted(Subject command) implements CommandSignal {}

  /** Its key was known; inside the caller's transaction. */
  record Repeated(Subject command, boolean sameCommand) implements CommandSignal {}

  /** A worker has taken it; after the commit of the claim. */
  record Claimed(Subject command, int attempt) implements CommandSignal {}

  /** Its handler returned; after the commit. */
  record Completed(Subject command, int attempt, Duration took) implements CommandSignal {}

  /** It failed for good; after the commit. */
  record Failed(Subject command, int attempt, FailureCode code, String error)
      implements CommandSignal {}

  /** An attempt failed and it will be tried again; after the commit. */
  record Retrying(Subject command, int attempt, Duration delay, String error)
      implements CommandSignal {}

  /** This node cannot end it, so it is left to another; after the commit. */
  record HandedOver(Subject command, Duration pause, String why) implements CommandSignal {}

  /** Its deadline was over; after the commit. */
  record TimedOut(Subject command) implements CommandSignal {}

  /** It was handled after its caller had been told that it timed out; after the commit. */
  record HandledLate(Subject command) implements CommandSignal {}

  /**
   * A reply came for a command that has ended; inside the transaction of the inbox, which changes
   * nothing of the command.
   */
  record ReplyIgnored(UUID commandId) implements CommandSignal {}

  /**
   * A reply came that belongs to another service, or to a command that this database does not have;
   * inside the transaction of the inbox, which rolls back: the reply becomes a dead letter.
   */
  record ReplyMisdelivered(UUID commandId, String why) implements CommandSignal {}

  /** Cancelled while it was queued; after the commit. */
  record Cancelled(Subject command) implements CommandSignal {}

  /** Another worker has it, or it has ended; the work of this one was rolled back. */
  record Lost(Subject command) implements CommandSignal {}

  /**
   * Its handler, or the writes after it, were interrupted and did not return: the bus goes on
   * without that thread.
   */
  record Stuck(Subject command, Duration after) implements CommandSignal {}

  /** Given back without having begun, because its worker stops or was too slow to begin. */
  record Released(Subject command) implements CommandSignal {}

  /** The database failed. */
  record StoreFailed(String bus, String verb, String error) implements CommandSignal {}

  /** Commands past their retention were deleted; after the commit. */
  record Forgotten(String bus, int commands) implements CommandSignal {}
}
