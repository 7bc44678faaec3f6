package io.postroad.example.market.shared.outbox;

import java.util.List;
import java.util.Map;

/**
 * Stores and reads entries. Only the relay claims and settles them: no method here changes an
 * existing entry.
 */
public interface OutboxRepository {

  /**
   * Writes an entry in the caller's transaction. It is published only after the commit.
   *
   * @throws io.postroad.transaction.NoTransactionException if the caller has no transaction
   * @throws IllegalStateException if an entry has the same idempotency key; the transaction can
   *     then only roll back, because its change would not be published
   */
  void save(NewOutboxEntry entry);

  /**
   * Returns PENDING entries that are at least a second old and due, the oldest first. It only
   * reads: the relay claims entries.
   */
  List<OutboxEntry> findPendingBatch(int batchSize);

  /** Returns the entries of a deal, the oldest first. */
  List<OutboxEntry> findByDeal(String dealId);

  /**
   * Returns the number of entries per status. Reads all entries: for people, not for frequent
   * calls.
   */
  Map<OutboxStatus, Long> countByStatus();
}
