package io.postroad.spi;

import java.util.List;

/** Reads the messages of a lane in order and records the position up to which they are settled. */
public interface LogStore {

  /**
   * Reads the next messages of a lane.
   *
   * <ol>
   *   <li>MUST return every message that was committed and not read before {@code after}, once,
   *       however late its transaction committed.
   *   <li>MUST return them in the order that {@link OrderedStore} promises.
   *   <li>MUST continue from a stored position as from one in memory, also in the middle of an
   *       earlier batch.
   *   <li>MUST NOT wait for transactions that are open elsewhere, nor slow down because of them.
   * </ol>
   *
   * @param after {@link LaneLease#position()}, or the position of an entry or batch read before
   */
  LaneBatch read(LaneLease lease, LanePosition after, int limit);

  /**
   * Records that every message up to a position is settled: delivered, or blocked by this call. A
   * crash of the database may forget the latest calls, which repeats deliveries.
   *
   * <ol>
   *   <li>MUST write {@code blocked} and the position in one transaction. Messages that are too
   *       large for one transaction go in several, in the order of their places, with the position
   *       in the last. Repeating the call MUST NOT change messages that are blocked already.
   *   <li>MUST keep blocked messages in the order of their places, per key. The first message of a
   *       key that was free decides when the key is due.
   *   <li>MUST ignore a message that is blocked already: a rescan reads it again.
   * </ol>
   *
   * @param blocked the result of each message up to {@code upTo} that was not delivered: {@link
   *     Settlement.Retry}; {@link Settlement.Release} for a message that waits behind another;
   *     {@link Settlement.Blocked} when its destination is not open; {@link Settlement.Dead}, which
   *     blocks its key unless it says otherwise. Otherwise later messages of the key are delivered
   *     without it
   */
  void advance(LaneLease lease, LanePosition upTo, List<Settlement> blocked);

  /**
   * Moves scheduled messages of this lane that are due to the end of its log, the longest due
   * first. Large messages go in several calls: one call MUST NOT write more than a transaction
   * takes, see {@link io.postroad.spi.hint.Batches}.
   *
   * @return how many messages were moved; fewer than {@code limit} may leave more that are due, 0
   *     leaves none
   */
  int admitDue(LaneLease lease, int limit);
}
