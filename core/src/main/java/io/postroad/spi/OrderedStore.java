package io.postroad.spi;

import io.postroad.store.Decision;
import io.postroad.store.OrderKey;
import io.postroad.store.Parked;
import io.postroad.store.ParkedKey;
import io.postroad.transaction.NoTransactionException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A store that keeps the order of each key. Keys are spread over lanes, a number fixed when the
 * store was set up. One node owns a lane at a time, under a fenced lease; it reads the lane in
 * order without claiming its messages one by one, and writes down how far it came.
 *
 * <pre>
 * take -> read, read, ... advance ... -> release
 *                            | a message failed: it and the followers of its key are held back,
 *                            v in the transaction that advances past them
 *                     takeHeld -> settleHeld, in order per key, until the key is free again
 * </pre>
 *
 * <p>Every verb that is given a {@link LaneLease} MUST throw {@link LaneLostException} and change
 * nothing when its epoch is no longer the lane's, and whenever the database may have forgotten
 * something that was read under it. A lease whose time is over but whose lane nobody took still
 * holds.
 *
 * <p>The order promised: if one transaction commits before another appends with the same {@link
 * OrderKey}, the first one's message is read first. Messages of one transaction are read in the
 * order in which they were appended.
 *
 * @param <T> what a transaction of this database is
 */
public interface OrderedStore<T> extends OutboxStore<T> {

  /** How many lanes there are; the same on every node and for ever. */
  int lanes();

  /**
   * Makes transactions that append with one of these keys wait for each other: whoever gets the
   * lock appends and commits before the next one gets it. Held until the transaction ends. A
   * database that does not let a transaction wait once it has done something (MongoDB) ends it
   * instead, when the lock is free again, with the error that makes its unit run again.
   *
   * <ol>
   *   <li>MUST throw {@link NoTransactionException} when {@code transaction} is not an open one.
   *   <li>MUST take the keys of one call in an order that two calls cannot deadlock on.
   * </ol>
   */
  void lockKeys(T transaction, Set<OrderKey> keys);

  /** Makes {@code node} known for {@code seenFor} and says who is there and who owns what. */
  LaneBoard attend(String node, Duration seenFor);

  /** Forgets a node that leaves; its lanes are released before, one by one. */
  void leave(String node);

  /**
   * Takes a lane that is free: never taken, released, or its lease expired. Also one that {@code
   * node} itself owns, under a new epoch.
   *
   * <ol>
   *   <li>MUST be durable before it returns, and give an epoch higher than any before.
   *   <li>MUST count {@link LaneLease#crashes()}: 0 after a release, 1 after an owner that made
   *       progress and let its lease expire, one more after each that made none. Progress is a
   *       successful {@link #advance}. Taking one's own lane anew counts as a release.
   *   <li>MUST go back far enough when what is stored may not fit the database any more (a restore,
   *       a promotion, another cluster): repeat, never lose, and say so in {@link
   *       LaneLease#rescan()}.
   * </ol>
   *
   * @return empty when another node owns it
   */
  Optional<LaneLease> take(int lane, String node, Duration leaseFor);

  /** Gives the lease a new end, {@code leaseFor} from now. */
  void renew(LaneLease lease, Duration leaseFor);

  /** Gives the lane back, so that another node may take it at once. Does nothing if it was lost. */
  void release(LaneLease lease);

  /**
   * Reads on.
   *
   * <ol>
   *   <li>MUST return every message that was committed and not read before {@code after}, once,
   *       however late its transaction committed.
   *   <li>MUST return them in the order promised.
   *   <li>MUST continue from a stored position as from one in memory, also in the middle of what
   *       one read returned.
   *   <li>MUST NOT wait for transactions that are open elsewhere, nor slow down because of them.
   * </ol>
   *
   * @param after {@link LaneLease#position()}, or the position of an entry or batch read before
   */
  LaneBatch read(LaneLease lease, LanePosition after, int limit);

  /**
   * Writes down that everything up to a position is settled: delivered, or held back here. A crash
   * of the database may forget the latest ones, which repeats deliveries.
   *
   * <ol>
   *   <li>MUST write {@code held} and the position in one transaction; where these are too large
   *       for one, in several, in the order of their places and the position in the last. Doing it
   *       again MUST change nothing about messages that are held already.
   *   <li>MUST keep held messages in the order of their places, per key; the first of a key that
   *       was free decides when the key is due.
   *   <li>MUST leave a message alone that is held back already: a rescan reads it again.
   * </ol>
   *
   * @param held what becomes of the messages up to {@code upTo} that were not delivered: {@link
   *     Settlement.Retry}, {@link Settlement.Release} for those who wait behind another, {@link
   *     Settlement.Aside} for those whose destination is not open, {@link Settlement.Dead}, which
   *     parks its key unless it says otherwise: then it waits for nobody and nobody for it
   */
  void advance(LaneLease lease, LanePosition upTo, List<Settlement> held);

  /**
   * The keys of this lane that have messages held back, without those that are set aside: whoever
   * asks has their destinations from {@link #destinationsAside}.
   */
  Set<OrderKey> heldKeys(LaneLease lease);

  /**
   * Whether messages of this key are held back, parked or set aside, in whichever lane. Costs one
   * lookup; asked by those who own no lane.
   */
  boolean isHeld(OrderKey key);

  /**
   * Takes held messages that are due, in order per key, and records the attempt durably: if they
   * kill their relay, that is known.
   *
   * <ol>
   *   <li>MUST return of each key the first message and then its followers without a gap, and
   *       nothing of a key whose first message is not due or dead.
   *   <li>MUST name the node whose attempt was never settled in {@link Claim#expiredOwner()}, also
   *       when that is this one.
   *   <li>MUST return such a message alone: it may be what killed its relay, and no other may be
   *       blamed for that again. Those that come before it are returned without it.
   * </ol>
   */
  List<Claim> takeHeld(LaneLease lease, int limit);

  /**
   * Records what became of messages of {@link #takeHeld}: delivered ones go, the first one of a key
   * that stays decides when the key is due or that it is set aside, a dead one parks its key unless
   * it says otherwise.
   *
   * <ol>
   *   <li>MUST change a message only while its attempt is open: taken and not settled. What is said
   *       a second time, after a person has replayed the message, changes nothing.
   * </ol>
   *
   * @return the keys that have nothing held back any more
   */
  Set<OrderKey> settleHeld(LaneLease lease, Collection<Settlement> settlements);

  /**
   * The destinations that have keys set aside in this lane: keys whose first message was settled by
   * {@link Settlement.Aside} and not opened since. Costs one lookup for each of them, however many
   * keys wait.
   */
  Set<String> destinationsAside(LaneLease lease);

  /**
   * Makes keys of a destination due that are set aside in this lane, those that were set aside
   * first.
   *
   * @param limit 1 or more
   * @return the keys; fewer than {@code limit} when there are no more
   */
  Set<OrderKey> open(LaneLease lease, String destination, int limit);

  /**
   * Rises whenever a person has changed what is held back in this lane, by a verb of {@link
   * #deadLetters()}, {@link #release} or {@link #skip}; so its owner knows when to ask for {@link
   * #heldKeys} again. Costs one lookup, however much is held back.
   */
  long decisions(LaneLease lease);

  /**
   * Parked keys, in the order of destination and name.
   *
   * @param after where an earlier list ended; empty for the beginning
   */
  List<ParkedKey> parkedKeys(Optional<OrderKey> after, int limit);

  /** How much is parked, at a cost that MUST NOT grow with the number of messages stored. */
  Parked parked();

  /**
   * Lets a parked key go on with its dead letter: {@link DeadLetterStore#replay} of it, audited as
   * {@code release}.
   *
   * @return false when the key is not parked, and nothing was changed
   */
  boolean release(OrderKey key, Decision decision);

  /**
   * Lets keys go on without the dead letters that park them. Those stay dead letters, park nobody
   * any more, and can be replayed or discarded later.
   *
   * @return those that parked a key
   */
  Set<UUID> skip(Collection<UUID> ids, Decision decision);

  /**
   * Lets scheduled messages of this lane that are due take their place at the lane's end, the
   * longest due first. Large ones go in several calls: one call MUST write no more than a
   * transaction takes, see {@link io.postroad.spi.hint.Batches}.
   *
   * @return how many did; fewer than {@code limit} may leave more that are due, 0 leaves none
   */
  int admitDue(LaneLease lease, int limit);
}
