package io.postroad.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides which node owns which lane of an {@link OrderedStore}.
 *
 * <pre>
 * heartbeat ... take --> renew, renew, ... --> release
 *                 |                              | leave
 *                 |-- lease expired: another node may take the lane, under a higher epoch
 * </pre>
 */
public interface LaneStore {

  /** Returns the number of lanes. It is the same on every node and never changes. */
  int count();

  /** Records that {@code node} runs for the next {@code seenFor}, and returns all members. */
  Membership heartbeat(String node, Duration seenFor);

  /** Removes a node that stops. It has released its lanes before. */
  void leave(String node);

  /**
   * Takes a lane that is free (never taken, released, or its lease expired), or that {@code node}
   * itself owns, under a new epoch.
   *
   * <ol>
   *   <li>MUST be durable before it returns, and give an epoch higher than any before.
   *   <li>MUST count {@link LaneLease#crashes()}: 0 after a release, 1 after an owner that made
   *       progress and let its lease expire, one more after each that made none. Progress is a
   *       successful {@link LogStore#advance}. A node that takes its own lane again counts as a
   *       release.
   *   <li>MUST go back far enough when the stored position may not fit the database any more (a
   *       restore, a promotion, another cluster): repeat messages, never lose one, and say so in
   *       {@link LaneLease#rescan()}.
   * </ol>
   *
   * @return empty when another node owns the lane
   */
  Optional<LaneLease> take(int lane, String node, Duration leaseFor);

  /** Extends the lease to {@code leaseFor} from now. */
  void renew(LaneLease lease, Duration leaseFor);

  /** Releases the lane, so that another node may take it at once. Does nothing if it was lost. */
  void release(LaneLease lease);
}
