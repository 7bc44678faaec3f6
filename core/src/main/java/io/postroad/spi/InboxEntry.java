package io.postroad.spi;

import java.util.Optional;

/**
 * A message as one handler gets it.
 *
 * @param messageId what the sender or the broker calls the message; one that comes again has the
 *     same
 * @param handler the handler's name
 * @param order the name of the order that the handler keeps: messages of one order and key are
 *     handled one after the other, by all handlers that share it
 * @param key the message's key; empty for one that waits for no other
 */
public record InboxEntry(String messageId, String handler, String order, Optional<String> key) {
  /** Characters of a message id, a handler's or order's name, and a key. */
  public static final int MAX_ID = 512;

  public static final int MAX_HANDLER = 255;
  public static final int MAX_KEY = 512;

  public InboxEntry {
    check(messageId, "message id", MAX_ID);
    check(handler, "handler", MAX_HANDLER);
    check(order, "order", MAX_HANDLER);
    key.ifPresent(name -> check(name, "key", MAX_KEY));
  }

  /** Makes an entry of a handler that shares its order with no other. */
  public InboxEntry(String messageId, String handler, Optional<String> key) {
    this(messageId, handler, handler, key);
  }

  private static void check(String text, String what, int limit) {
    if (text.isBlank() || text.length() > limit) {
      throw new IllegalArgumentException(
          "the %s of an inbox entry must have 1 to %d characters, got %d"
              .formatted(what, limit, text.length()));
    }
  }
}
