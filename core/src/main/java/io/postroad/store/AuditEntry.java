package io.postroad.store;

import java.time.Instant;

/**
 * Something that a person decided about an outbox.
 *
 * @param at when, by the database's clock
 * @param action {@code replay}, {@code replace}, {@code discard}, {@code skip}, {@code pause}, ...
 * @param subject what it was done to: a message's id, or a destination
 * @param detail what the subject was, for someone who reads it later: for a message its type,
 *     destination, key and error; after {@code replace} also the id of the other one
 */
public record AuditEntry(
    Instant at, String by, String action, String subject, String reason, String detail) {

  /** What is written down about a destination when it is paused. */
  public static final String PAUSED = "destination";

  /** What is written down about a destination when its pause ends. */
  public static String about(Pause ended) {
    return "destination, paused since=%s by=%s reason=%s"
        .formatted(ended.since(), ended.by(), ended.reason());
  }

  /** What is written down about a dead letter. */
  public static String about(DeadLetter letter) {
    return "type=%s destination=%s key=%s attempts=%d error=%s"
        .formatted(
            letter.message().type(),
            letter.message().destination(),
            letter.message().key().orElse(""),
            letter.attempts(),
            letter.error());
  }
}
