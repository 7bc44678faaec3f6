package io.postroad.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The nodes that run relays, and the owner of each lane, at one moment.
 *
 * @param nodes the nodes with a recent heartbeat, the calling node included
 * @param lanes one per lane, in the order of their numbers
 */
public record Membership(List<String> nodes, List<LaneOwner> lanes) {
  public Membership {
    nodes = List.copyOf(nodes);
    lanes = List.copyOf(lanes);
  }

  /**
   * A lane and its owner.
   *
   * @param owner the node that holds the lease; empty when the lane is free: never taken, released,
   *     or expired
   */
  public record LaneOwner(int lane, Optional<String> owner) {}

  /** Returns how many lanes each node owns. */
  public Map<String, Long> shares() {
    Map<String, Long> owned =
        lanes.stream()
            .flatMap(lane -> lane.owner().stream())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return nodes.stream()
        .distinct()
        .collect(Collectors.toMap(node -> node, node -> owned.getOrDefault(node, 0L)));
  }
}
