package io.postroad.store;

/**
 * The operator that made a decision about an outbox, and the reason. The audit keeps both.
 *
 * @param by a person or a tool, as it shall be read later; at most 200 characters
 * @param reason in a sentence, at most 2,000 characters
 */
public record Decision(String by, String reason) {
  static final int MAX_BY = 200;
  static final int MAX_REASON = 2_000;

  public Decision {
    check("by", by, MAX_BY);
    check("reason", reason, MAX_REASON);
  }

  private static void check(String name, String value, int max) {
    if (value.isBlank() || value.length() > max) {
      throw new IllegalArgumentException(
          "Decision.%s must have 1 to %d characters, got %s"
              .formatted(name, max, value.isBlank() ? "none" : Integer.toString(value.length())));
    }
  }
}
