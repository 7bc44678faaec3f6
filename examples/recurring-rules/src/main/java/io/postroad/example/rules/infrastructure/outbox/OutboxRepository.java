package io.postroad.example.rules.infrastructure.outbox;

import java.time.ZonedDateTime;
import java.util.List;
import java.util.UUID;
import org.springframework.data.domain.Pageable;
import org.springframework.data.mongodb.repository.MongoRepository;
import org.springframework.data.mongodb.repository.Query;
import org.springframework.data.mongodb.repository.Update;

/** Queries of the outbox for people and reports. */
public interface OutboxRepository extends MongoRepository<OutboxDocument, UUID> {

  List<OutboxDocument> findByStatusOrderByCreatedAtAsc(String status, Pageable pageable);

  List<OutboxDocument> findByStatusAndNextRetryAtLessThanEqual(String status, ZonedDateTime now);

  long countByStatus(String status);

  /**
   * Takes an event from the relay, to send and settle it by hand; the relay claims it again after
   * five minutes. Returns the number of taken events, 0 or 1.
   */
  @Query("{ '_id': ?0, 'status': 'PENDING' }")
  @Update("{ '$set': { 'status': 'PROCESSING' } }")
  int markAsProcessing(UUID id);
}
