package io.postroad.spi;

import io.postroad.store.OrderKey;
import io.postroad.transaction.NoTransactionException;
import java.util.Set;

/**
 * Keeps the order of each key. Keys are spread over lanes. One node owns a lane at a time, under a
 * fenced lease. The owner reads the lane in order without claiming single messages, and records the
 * position up to which they are settled.
 *
 * <pre>
 * lanes().take -> log().read, read, ... advance ... -> lanes().release
 *                            | a message failed: it and the followers of its key are blocked,
 *                            v in the transaction that advances past them
 *    blockedMessages().take -> settle, in order per key, until the key is free again
 * </pre>
 *
 * <p>Every verb with a {@link LaneLease} MUST throw {@link LaneLostException} and change nothing
 * when its epoch is no longer the epoch of the lane, and whenever the database may have forgotten a
 * row that was read under it. An expired lease still holds until another node takes the lane.
 *
 * <p>Order: if one transaction commits before another appends with the same {@link OrderKey}, the
 * message of the first is read first. Messages of one transaction are read in the order in which
 * they were appended.
 *
 * @param <T> the transaction type of this database
 */
public interface OrderedStore<T> extends OutboxStore<T> {

  /** Returns the role that decides which node owns which lane. */
  LaneStore lanes();

  /** Returns the role that reads lanes and advances their positions. */
  LogStore log();

  /** Returns the role that keeps the messages of blocked keys for relays. */
  BlockedMessageStore blockedMessages();

  /** Returns the role that releases blocked keys for operators. */
  BlockedKeyStore blockedKeys();

  /**
   * Makes transactions that append with one of these keys wait for each other, until each ends. A
   * database that does not let a transaction wait after its first operation (MongoDB) aborts the
   * transaction instead, once the lock is free, with an error that asks to run it again.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} when {@code transaction} is not open.
   *   <li>MUST take the keys of one call in an order that two calls cannot deadlock on.
   * </ol>
   */
  void lockKeys(T transaction, Set<OrderKey> keys);
}
