package io.postroad.command;

/** The kind of a failure, for programs; {@link CommandReply.Failed#error()} is for people. */
public enum FailureCode {
  /** The handler threw a business exception. */
  BUSINESS,
  /** The payload does not fit the command, or the command's constructor refused it. */
  INVALID,
  /** There is no handler for the type. */
  UNKNOWN_TYPE,
  /** The result of the handler cannot be written as JSON. */
  UNWRITABLE_RESULT,
  /** Transient failures, until the attempts were used up. */
  EXHAUSTED,
  /** Cancelled while it was queued. */
  CANCELLED,
  /**
   * The message that should bring it to the service that handles it is a dead letter. A replay of
   * the dead letter has it handled all the same, and its result comes late.
   */
  UNDELIVERED
}
