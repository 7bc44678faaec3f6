package io.postroad.example.rules.infrastructure.mongodb;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.mongodb.repository.MongoRepository;

/** Queries that Spring Data derives from their names. */
public interface RecurringRuleMongoRepository
    extends MongoRepository<RecurringRuleDocument, String> {

  Page<RecurringRuleDocument> findByCashFlowIdAndStatus(
      String cashFlowId, String status, Pageable pageable);

  Page<RecurringRuleDocument> findByCashFlowIdAndStatusIn(
      String cashFlowId, List<String> statuses, Pageable pageable);

  List<RecurringRuleDocument> findByCashFlowIdAndStatus(String cashFlowId, String status);

  List<RecurringRuleDocument> findByCashFlowIdAndCategoryNameAndStatusNot(
      String cashFlowId, String categoryName, String excludeStatus);

  Optional<RecurringRuleDocument> findByIdempotencyKey(String idempotencyKey);

  long countByUserIdAndStatus(String userId, String status);
}
