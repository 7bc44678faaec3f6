package io.postroad.store;

import java.time.Instant;

/**
 * Something that a person decided about an outbox.
 *
 * @param at when, by the database's clock
 * @param action {@code replay}, {@code replace}, {@code discard}, {@code skip}, {@code pause}, ...
 * @param subject the id of a message, or a destination
 * @param detail the subject at that time: for a message its type, destination, key and error; after
 *     {@code replace} also the id of the other one
 */
public record AuditEntry(
    Instant at, String by, String action, String subject, String reason, String detail) {

  /** The detail of an entry about a destination that is paused. */
  public static final String PAUSED = "destination";

  /** Returns the detail of an entry about a destination whose pause ends. */
  public static String about(Pause ended) {
    return "destination, paused since=%s by=%s reason=%s"
        .formatted(ended.since(), ended.by(), ended.reason());
  }

  /** Returns the detail of an entry about a dead letter. */
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
