package io.postroad.drain;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Undelivered row of another outbox, as a {@link DrainMapping} sees it.
 *
 * @param id the row's id as text
 * @param type name of the event's or payload's Java class
 * @param listener id of the listener (Spring Modulith) or handler (Namastack) that was to get it
 * @param key Namastack: the record key, whose rows were handled in order
 * @param payload the serialised event, JSON unless the application chose another serialiser
 * @param context Namastack: the record's context as it is stored, a JSON object of texts
 * @param createdAt when it was published or scheduled, by the application's clock
 * @param delivery how far the old outbox came with it
 */
public record DrainRow(
    String id,
    String type,
    String listener,
    Optional<String> key,
    String payload,
    Optional<String> context,
    Instant createdAt,
    Delivery delivery) {

  /**
   * Attempts of the old outbox to deliver a row.
   *
   * @param failures number of failures, as far as the table tells
   * @param dueAt Namastack: when it would have been tried again, if that is in the future. Empty
   *     when the rows go into an ordered store: later messages of the key would overtake a message
   *     that waits, so it is tried at once and backs off anew
   * @param status the row's status; empty where the table has none
   */
  public record Delivery(int failures, Optional<Instant> dueAt, Optional<String> status) {}

  /** Returns the class name without package and outer classes, as in {@code OrderPlaced}. */
  public String simpleType() {
    return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
  }

  /**
   * Returns the id of the message: the row's id, or one derived from it where that is no UUID. So a
   * row that comes a second time is recognised.
   */
  public UUID messageId() {
    try {
      UUID id = UUID.fromString(this.id);
      if (id.toString().equalsIgnoreCase(this.id)) {
        return id;
      }
    } catch (IllegalArgumentException noUuid) {
      // falls through to the derived one
    }
    return UUID.nameUUIDFromBytes(("drained row " + id).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns id, type and listener; never the payload. */
  @Override
  public String toString() {
    return "DrainRow[" + id + ", " + type + " -> " + listener + "]";
  }
}
