package io.postroad.example.payment.infrastructure.adapter.out.outbox;

import java.time.Instant;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

/** Reads the outbox for people and reports; publishes and removes nothing. */
public interface OutboxEventRepository extends JpaRepository<OutboxEvent, String> {

  @Query(
      """
      SELECT e FROM OutboxEvent e
      WHERE e.status = :status
      ORDER BY e.createdAt ASC
      LIMIT :limit
      """)
  List<OutboxEvent> findByStatusOrderByCreatedAtAsc(
      @Param("status") OutboxEventStatus status, @Param("limit") int limit);

  long countByStatus(OutboxEventStatus status);

  List<OutboxEvent> findByStatus(OutboxEventStatus status);

  List<OutboxEvent> findByStatusAndPublishedAtBefore(
      OutboxEventStatus status, Instant publishedBefore);
}
