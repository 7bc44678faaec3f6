package io.postroad.example.market.shared.outbox;

import java.util.List;
import java.util.Map;

/**
 * Where entries are kept. Claiming and settling them is the relay's work alone: nothing here
 * changes an entry that is there.
 */
public interface OutboxRepository {

  /**
   * Writes an entry as part of the caller's transaction, and of no other: roll back, and it never
   * was; commit, and it is published.
   *
   * @throws io.postroad.transaction.NoTransactionException when the caller is in none
   * @throws IllegalStateException when an entry has its idempotency key; the caller's transaction
   *     can only roll back, or it would change something that nobody is told of
   */
  void save(NewOutboxEntry entry);

  /**
   * What is PENDING for a second at least and does not wait for its next attempt, the oldest first.
   * It is read only: claiming is the relay's, which takes what has been due for longest.
   */
  List<OutboxEntry> findPendingBatch(int batchSize);

  /** The entries of a deal, the oldest first. */
  List<OutboxEntry> findByDeal(String dealId);

  /** How many entries are in each status. Reads all of them: for people, not for every second. */
  Map<OutboxStatus, Long> countByStatus();
}
