package io.postroad.command;

/**
 * Makes idempotency keys by the patterns that are in use, and checks any other. Two requests with
 * one key are one command.
 *
 * <p>Parts are joined as they are, so the first should have no colon of its own: {@code a:b} and
 * {@code c} make the same key as {@code a} and {@code b:c}.
 *
 * <p>Thread-safe, stateless.
 */
public final class IdempotencyKeys {
  /** Characters of a key. */
  public static final int MAX_LENGTH = 255;

  private IdempotencyKeys() {}

  /** For the command of a process's step: {@code processId:step}. */
  public static String processStep(Object processId, String step) {
    return joined(part(processId.toString(), "process id"), part(step, "step"));
  }

  /** For a request from outside, by the id that its sender gave it: {@code requestId}. */
  public static String request(String requestId) {
    return check(part(requestId, "request id"));
  }

  /** For a command that a message brought about: {@code messageId:handler}. */
  public static String message(String messageId, String handler) {
    return joined(part(messageId, "message id"), part(handler, "handler"));
  }

  /**
   * The key itself, if it is one: 1 to 255 characters, not only spaces, no control characters.
   *
   * @throws IllegalArgumentException when it is not
   */
  public static String check(String key) {
    if (key.isBlank() || key.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "an idempotency key must have 1 to %d characters and not be blank, got %d%s"
              .formatted(MAX_LENGTH, key.length(), key.isBlank() ? ", all blank" : ""));
    }
    key.codePoints().forEach(IdempotencyKeys::refuseUnstorable);
    return key;
  }

  private static String joined(String first, String second) {
    return check(first + ":" + second);
  }

  private static String part(String part, String what) {
    if (part.isBlank()) {
      throw new IllegalArgumentException(
          "the %s of an idempotency key must not be blank: all requests without one would be the"
                  .formatted(what)
              + " same command");
    }
    return part;
  }

  private static void refuseUnstorable(int c) {
    boolean loneSurrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    if (Character.isISOControl(c) || loneSurrogate) {
      throw new IllegalArgumentException(
          "an idempotency key must not contain %s, got U+%04X"
              .formatted(loneSurrogate ? "lone surrogates" : "control characters", c));
    }
  }
}
