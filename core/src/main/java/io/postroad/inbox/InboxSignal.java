package io.postroad.inbox;

/**
 * Something that happened in an inbox. {@code docs/reference/signals.md} lists them all with when
 * they come relative to a commit. No signal carries a payload.
 */
public sealed interface InboxSignal {

  /** Which message, for which handler. */
  record Subject(String messageId, String type, String destination, String handler) {}

  /** Handled for the first time; after the commit. */
  record Handled(Subject message) implements InboxSignal {}

  /** It was here before, and nothing was done; after the transaction. */
  record Repeated(Subject message) implements InboxSignal {}

  /**
   * Moved to the retry line, because the handler failed or an earlier message of its source and key
   * waits there; after the commit.
   */
  record MovedToRetry(Subject message, String reason) implements InboxSignal {}

  /** No handler wants it, and it was acknowledged; {@code handler} is empty. */
  record Ignored(Subject message) implements InboxSignal {}

  /** The database failed; the message was not acknowledged and is tried again. */
  record StoreFailed(String inbox, String error) implements InboxSignal {}

  /** What was past its retention was forgotten; after the commit. */
  record Forgotten(String inbox, int entries) implements InboxSignal {}
}
