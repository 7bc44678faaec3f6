package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/**
 * Records the failures of events that were already copied to the dead letter topic. An event that
 * the team's own job gave up has no {@code published_at}, so its failure has the time of its
 * creation.
 *
 * <p>Thread-safe; each call joins the caller's transaction or has its own.
 */
@Repository
public class DeadLetterCopies {
  private static final String NOT_COPIED =
      """
      SELECT e.id, COALESCE(e.published_at, e.created_at) AS died_at,
        CASE
          WHEN e.id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN CAST(e.id AS uuid)
          ELSE CAST(md5(e.id) AS uuid)
        END AS message_id
      FROM outbox_event e
      WHERE e.status = 'FAILED'
        AND NOT EXISTS (
          SELECT FROM outbox_dlq_copy c
          WHERE c.event_id = e.id
            AND c.died_at = COALESCE(e.published_at, e.created_at))
      ORDER BY e.created_at, e.id
      LIMIT ?
      """;

  private static final String NOTE =
      """
      INSERT INTO outbox_dlq_copy (event_id, died_at)
      SELECT id, COALESCE(published_at, created_at) FROM outbox_event
      WHERE id = ?
        AND status = 'FAILED'
        AND COALESCE(published_at, created_at) = ?
      ON CONFLICT DO NOTHING
      """;

  private final JdbcTemplate jdbc;

  public DeadLetterCopies(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns failures that were not copied yet, of the oldest events first. */
  public List<Death> open(int limit) {
    return jdbc.query(
        NOT_COPIED,
        (row, number) ->
            new Death(
                row.getString("id"),
                row.getObject("message_id", UUID.class),
                row.getObject("died_at", LocalDateTime.class)),
        limit);
  }

  /** Records that a failure was copied; a later failure of the event is not included. */
  void done(Death death) {
    jdbc.update(NOTE, death.eventId(), death.diedAt());
  }

  /**
   * The failure of an event.
   *
   * @param messageId the id in Postroad: the event's id, or its MD5 if that is no UUID
   */
  public record Death(String eventId, UUID messageId, LocalDateTime diedAt) {}
}
