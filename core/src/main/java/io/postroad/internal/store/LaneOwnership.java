package io.postroad.internal.store;

import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The stored owner of a lane, and the rule by which another node takes the lane over.
 *
 * @param node the node that took the lane last and has not released it; null when it is free
 * @param leased whether the lease of that node is still running, by the clock of the database
 * @param epoch the number of the last take
 * @param crashes {@link LaneLease#crashes()} of the last take
 * @param progress whether the owner has advanced the lane in this epoch
 */
public record LaneOwnership(
    @Nullable String node, boolean leased, long epoch, int crashes, boolean progress) {

  /** A lane that no node has taken yet. */
  public static final LaneOwnership NONE = new LaneOwnership(null, false, 0, 0, false);

  /** Returns the node that owns the lane now. */
  public Optional<String> owner() {
    return leased ? Optional.ofNullable(node) : Optional.empty();
  }

  /** Returns whether a node may take the lane. A node may take its own lane again. */
  public boolean isFreeFor(String taker) {
    return owner().isEmpty() || taker.equals(node);
  }

  /** Returns the node that let its lease expire, as {@code taker} finds it. */
  public Optional<String> crashedBefore(String taker) {
    return Optional.ofNullable(node).filter(before -> !before.equals(taker));
  }

  /** Returns the ownership after a take. */
  public LaneOwnership takenBy(String taker) {
    return takenBy(taker, epoch + 1);
  }

  /** Returns the ownership after a take under an epoch that is higher than all before. */
  public LaneOwnership takenBy(String taker, long nextEpoch) {
    int counted = crashedBefore(taker).isEmpty() ? 0 : progress ? 1 : crashes + 1;
    return new LaneOwnership(taker, true, nextEpoch, counted, false);
  }

  /**
   * Returns the lease of a node that has taken the lane from this state.
   *
   * @param taken the state after the take
   * @param rescan {@link LaneLease#rescan()}
   */
  public LaneLease lease(
      int lane, LaneOwnership taken, LanePosition position, Optional<String> rescan) {
    String taker = Objects.requireNonNull(taken.node);
    return new LaneLease(
        lane, taker, taken.epoch, position, crashedBefore(taker), taken.crashes, rescan);
  }

  /** Returns the ownership after its node has advanced the lane. */
  public LaneOwnership advanced() {
    return new LaneOwnership(node, leased, epoch, crashes, true);
  }

  /** Returns the ownership after its node has released the lane. */
  public LaneOwnership released() {
    return new LaneOwnership(null, false, epoch, 0, progress);
  }
}
