package io.postroad.postgres.drain;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One undelivered row of another outbox, as a {@link DrainMapping} sees it.
 *
 * @param id the row's id as text
 * @param type name of the event's or payload's Java class
 * @param listener id of the listener (Spring Modulith) or handler (Namastack) that was to get it
 * @param key Namastack: the record key, whose rows were handled in order
 * @param payload the serialised event, JSON unless the application chose another serialiser
 * @param context Namastack: the record's context as it is stored, a JSON object of texts
 * @param createdAt when it was published or scheduled, by the application's clock
 * @param dueAt Namastack: when it would have been tried again, if that is still to come. Empty when
 *     the rows go into an ordered store: a message that waits for its time would be overtaken by
 *     the later ones of its key, so it is tried at once and backs off anew
 * @param failures how often it failed so far, as far as the table tells
 * @param status the row's status; empty where the table has none
 */
public record DrainRow(
    String id,
    String type,
    String listener,
    Optional<String> key,
    String payload,
    Optional<String> context,
    Instant createdAt,
    Optional<Instant> dueAt,
    int failures,
    Optional<String> status) {

  /** The class name without package and outer classes, for example {@code OrderPlaced}. */
  public String simpleType() {
    return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
  }

  /**
   * The id that the message gets: the row's, or one derived from it where that is no UUID. So a row
   * that comes a second time is recognised.
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

  /** Id, type and listener; never the payload. */
  @Override
  public String toString() {
    return "DrainRow[" + id + ", " + type + " -> " + listener + "]";
  }
}
