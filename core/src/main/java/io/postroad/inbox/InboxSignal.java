package io.postroad.inbox;

/**
 * An event in an inbox. {@code docs/reference/inbox-signals.md} lists all signals with their time
 * relative to the commit. No signal contains a payload.
 */
public sealed interface InboxSignal {

  /** Identifies a message and its handler. */
  record Subject(String messageId, String type, String destination, String handler) {}

  /** A handler handled the message for the first time. Sent after the commit. */
  record Handled(Subject message) implements InboxSignal {}

  /** The message was received before, so no handler ran. Sent after the transaction. */
  record Repeated(Subject message) implements InboxSignal {}

  /**
   * The message moved to the retry line, because its handler failed or an earlier message of its
   * source and key waits there. Sent after the commit.
   */
  record MovedToRetry(Subject message, String reason) implements InboxSignal {}

  /** No handler wants the message, and it was acknowledged; {@code handler} is empty. */
  record Ignored(Subject message) implements InboxSignal {}

  /** The database failed. The message was not acknowledged and is tried again. */
  record StoreFailed(String inbox, String error) implements InboxSignal {}

  /** Entries past their retention were removed. Sent after the commit. */
  record Forgotten(String inbox, int entries) implements InboxSignal {}
}
