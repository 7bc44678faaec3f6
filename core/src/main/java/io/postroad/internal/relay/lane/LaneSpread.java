package io.postroad.internal.relay.lane;

import io.postroad.spi.Membership;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which lanes a node takes or gives away, so that they end up spread evenly over the nodes
 * that are there. Pure: the same board gives the same answer.
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
  static List<Integer> toTake(Membership board, String node, Set<Integer> worked) {
    List<Integer> lanes = new ArrayList<>();
    for (Membership.LaneOwner seat : board.lanes()) {
      if (seat.owner().filter(node::equals).isPresent() && !worked.contains(seat.lane())) {
        lanes.add(seat.lane());
      }
    }
    lanes.addAll(freeToTake(board, node));
    return lanes;
  }

  private static List<Integer> freeToTake(Membership board, String node) {
    Map<String, Long> shares = board.shares();
    long mine = shares.getOrDefault(node, 0L);
    long least = Collections.min(shares.values());
    long nodes = Math.max(1, shares.size());
    long fair = (board.lanes().size() + nodes - 1) / nodes;
    if (mine >= fair || mine > least) {
      return List.of();
    }
    List<Integer> free =
        board.lanes().stream()
            .filter(seat -> seat.owner().isEmpty())
            .map(Membership.LaneOwner::lane)
            .toList();
    // With one node all at once; with several one at a time, so that each gets its turn.
    return shares.size() == 1 ? free : free.subList(0, Math.min(1, free.size()));
  }

  /** Whether {@code node} should give one lane away: another one has two fewer. */
  static boolean shouldGive(Membership board, String node) {
    Map<String, Long> shares = board.shares();
    return shares.getOrDefault(node, 0L) - Collections.min(shares.values()) >= 2;
  }
}
