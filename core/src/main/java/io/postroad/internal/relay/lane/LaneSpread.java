package io.postroad.internal.relay.lane;

import io.postroad.spi.Membership;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which lanes a node takes or gives away, so that they end up spread evenly over the nodes
 * that are members. Pure: the same membership gives the same answer.
 */
final class LaneSpread {
  private LaneSpread() {}

  /**
   * Returns the lanes that {@code node} should take now: those that are its own but that it does
   * not work on, then free ones unless other nodes come first.
   *
   * @param worked the lanes that this node works on. The node has lost the epoch of its other own
   *     lanes, for example because the database was restarted; it need not wait for its own lease
   */
  static List<Integer> toTake(Membership membership, String node, Set<Integer> worked) {
    List<Integer> lanes = new ArrayList<>();
    for (Membership.LaneOwner lane : membership.lanes()) {
      if (lane.owner().filter(node::equals).isPresent() && !worked.contains(lane.lane())) {
        lanes.add(lane.lane());
      }
    }
    lanes.addAll(freeToTake(membership, node));
    return lanes;
  }

  private static List<Integer> freeToTake(Membership membership, String node) {
    Map<String, Long> shares = membership.shares();
    long mine = shares.getOrDefault(node, 0L);
    long least = Collections.min(shares.values());
    long nodes = Math.max(1, shares.size());
    long fair = (membership.lanes().size() + nodes - 1) / nodes;
    if (mine >= fair || mine > least) {
      return List.of();
    }
    List<Integer> free =
        membership.lanes().stream()
            .filter(lane -> lane.owner().isEmpty())
            .map(Membership.LaneOwner::lane)
            .toList();
    // One node takes all at once; several take one at a time, so that each gets its share.
    return shares.size() == 1 ? free : free.subList(0, Math.min(1, free.size()));
  }

  /** Returns whether {@code node} should give one lane away: another one has two fewer. */
  static boolean shouldGive(Membership membership, String node) {
    Map<String, Long> shares = membership.shares();
    return shares.getOrDefault(node, 0L) - Collections.min(shares.values()) >= 2;
  }
}
