package io.postroad.store;

import java.util.Optional;

/**
 * A message as one handler gets it.
 *
 * @param messageId what the sender or the broker calls the message; one that comes again has the
 *     same
 * @param handler the handler's name
 * @param key the message's key; messages of one handler and key are handled in order. Empty for one
 *     that waits for nobody
 */
public record InboxEntry(String messageId, String handler, Optional<String> key) {
  /** Characters of a message id, a handler's name and a key. */
  public static final int MAX_ID = 512;

  public static final int MAX_HANDLER = 255;
  public static final int MAX_KEY = 512;

  public InboxEntry {
    check(messageId, "message id", MAX_ID);
    check(handler, "handler", MAX_HANDLER);
    key.ifPresent(name -> check(name, "key", MAX_KEY));
  }

  private static void check(String text, String what, int limit) {
    if (text.isBlank() || text.length() > limit) {
      throw new IllegalArgumentException(
          "the %s of an inbox entry must have 1 to %d characters, got %d"
              .formatted(what, limit, text.length()));
    }
  }
}
