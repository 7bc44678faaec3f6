package io.postroad.example.rules.infrastructure.outbox;

import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Pageable;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.Query;
import org.springframework.data.mongodb.repository.Update;

/** What people and reports ask of the outbox. */
public interface OutboxRepository extends MongoRepository<OutboxDocument, UUID> {

  List<OutboxDocument> findByStatusOrderByCreatedAtAsc(String status, Pageable pageable);

  List<OutboxDocument> findByStatusAndNextRetryAtLessThanEqual(String status, ZonedDateTime now);

  long countByStatus(String status);

  /**
   * Takes an event out of the relay's hands, for somebody who sends it by hand and settles it; the
   * relay takes it back after five minutes. Returns how many were taken, 0 or 1.
   */
  @Query("{ '_id': ?0, 'status': 'PENDING' }")
  @Update("{ '$set': { 'status': 'PROCESSING' } }")
  int markAsProcessing(UUID id);
}
