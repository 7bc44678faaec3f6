package io.postroad.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Who is there and who owns what, at one moment.
 *
 * @param nodes the nodes that were heard of lately, the one that asks among them
 * @param seats one per lane, in order
 */
public record LaneBoard(List<String> nodes, List<Seat> seats) {
  public LaneBoard {
    nodes = List.copyOf(nodes);
    seats = List.copyOf(seats);
  }

  /**
   * A lane and its owner.
   *
   * @param owner the node that holds its lease; empty when it is free: never taken, released, or
   *     expired
   */
  public record Seat(int lane, Optional<String> owner) {}

  /** How many lanes each of the nodes owns. */
  public Map<String, Long> shares() {
    Map<String, Long> owned =
        seats.stream()
            .flatMap(seat -> seat.owner().stream())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return nodes.stream()
        .distinct()
        .collect(Collectors.toMap(node -> node, node -> owned.getOrDefault(node, 0L)));
  }
}
