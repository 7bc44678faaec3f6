package io.postroad.spi;

import io.postroad.store.BlockedKey;
import io.postroad.store.BlockedSummary;
import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Lists and releases the keys that wait behind a dead letter until an operator decides. */
public interface BlockedKeyStore {

  /**
   * Lists the keys in the order of destination and name.
   *
   * @param after the last key of an earlier list; empty for the beginning
   */
  List<BlockedKey> list(Optional<OrderKey> after, int limit);

  /** Counts the keys and messages, at a cost that MUST NOT grow with the number of messages. */
  BlockedSummary summary();

  /**
   * Releases a key with its dead letter, as {@link DeadLetterStore#replay} would; the audit entry
   * says {@code release}.
   *
   * @return false when no dead letter blocks the key, and nothing was changed
   */
  boolean release(OrderKey key, Decision decision);

  /**
   * Releases keys without the dead letters that block them. These stay dead letters, block no key
   * any more, and can be replayed or discarded later.
   *
   * @return the dead letters that blocked a key
   */
  Set<UUID> skip(Collection<UUID> ids, Decision decision);
}
