package io.postroad.spi;

import io.postroad.store.OrderKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Keeps the messages of blocked keys. A key is blocked when a message of it was not delivered: the
 * message waits for its next attempt (reason RETRY), for its destination (DESTINATION), or for an
 * operator (DEAD_LETTER). All later messages of the key wait behind it, in order.
 */
public interface BlockedMessageStore {

  /**
   * Returns the keys of this lane that are blocked, without those that wait for their destination:
   * {@link #destinations} returns these.
   */
  Set<OrderKey> keys(LaneLease lease);

  /** Returns whether a key is blocked, for any reason and in any lane. Costs one lookup. */
  boolean isBlocked(OrderKey key);

  /**
   * Takes blocked messages that are due, in order per key, and records the attempt durably. A
   * message that kills its relay is known by this record.
   *
   * <ol>
   *   <li>MUST return the first message of a key and then its followers without a gap, and nothing
   *       of a key whose first message is not due or dead.
   *   <li>MUST name the node whose attempt was never settled in {@link Claim#expiredOwner()}, also
   *       when that is this node.
   *   <li>MUST return such a message alone: it may have killed its relay, and no other message may
   *       be blamed for the next crash. Messages that come before it are returned without it.
   * </ol>
   */
  List<Claim> take(LaneLease lease, int limit);

  /**
   * Records the results of messages that {@link #take} returned. Delivered messages are removed.
   * The first message of a key that stays decides the reason and when the key is due. A dead
   * message blocks its key unless it says otherwise.
   *
   * <ol>
   *   <li>MUST change a message only while its attempt is open: taken and not settled. A second
   *       result, after an operator has replayed the message, changes nothing.
   * </ol>
   *
   * @return the keys that are free again
   */
  Set<OrderKey> settle(LaneLease lease, Collection<Settlement> settlements);

  /**
   * Returns the destinations that keys of this lane wait for: keys whose first message was settled
   * with {@link Settlement.Blocked} and not opened since. Costs one lookup for each destination,
   * however many keys wait.
   */
  Set<String> destinations(LaneLease lease);

  /**
   * Makes keys of this lane due that wait for a destination, the longest waiting first.
   *
   * @param limit 1 or more
   * @return the keys; fewer than {@code limit} when there are no more
   */
  Set<OrderKey> open(LaneLease lease, String destination, int limit);

  /**
   * Returns a number that rises whenever an operator has changed blocked messages of this lane,
   * through {@link DeadLetterStore} or {@link BlockedKeyStore}. The owner of the lane reads {@link
   * #keys} again when it has risen. Costs one lookup, however many messages are blocked.
   */
  long decisions(LaneLease lease);
}
