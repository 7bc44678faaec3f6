package io.postroad.outbox;

import io.postroad.store.LaneBoard;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Decides which lanes a node takes or gives away, so that they end up spread evenly over the nodes
 * that are there. Pure: the same board gives the same answer.
 */
final class LaneSpread {
  private LaneSpread() {}

  /** The free lane that {@code node} should take now; empty when others come first. */
  static List<Integer> toTake(LaneBoard board, String node) {
    Map<String, Long> shares = board.shares();
    long mine = shares.getOrDefault(node, 0L);
    long least = Collections.min(shares.values());
    long nodes = Math.max(1, shares.size());
    long fair = (board.seats().size() + nodes - 1) / nodes;
    if (mine >= fair || mine > least) {
      return List.of();
    }
    List<Integer> free =
        board.seats().stream()
            .filter(seat -> seat.owner().isEmpty())
            .map(LaneBoard.Seat::lane)
            .toList();
    // With one node all at once; with several one at a time, so that each gets its turn.
    return shares.size() == 1 ? free : free.subList(0, Math.min(1, free.size()));
  }

  /** Whether {@code node} should give one lane away: another one has two fewer. */
  static boolean shouldGive(LaneBoard board, String node) {
    Map<String, Long> shares = board.shares();
    return shares.getOrDefault(node, 0L) - Collections.min(shares.values()) >= 2;
  }
}
