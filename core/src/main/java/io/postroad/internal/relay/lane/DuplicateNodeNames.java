package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds other nodes that have the name of this one. The names of nodes end in a slash and a random
 * part. An earlier start of this node is a member until its lease ends. A node that is a member for
 * longer than two leases is another one. Used by one thread.
 */
final class DuplicateNodeNames {
  private final String node;
  private final String name;
  private final Duration leaseFor;
  private final Ticker ticker;
  private final Map<String, Long> firstSeen = new HashMap<>();
  private final Set<String> reported = new HashSet<>();

  DuplicateNodeNames(String node, Duration leaseFor, Ticker ticker) {
    this.node = node;
    this.name = node.substring(0, node.lastIndexOf('/') + 1);
    this.leaseFor = leaseFor;
    this.ticker = ticker;
  }

  /** Returns a node of the same name that was a member for longer than two leases; each once. */
  Optional<String> find(List<String> nodes) {
    firstSeen.keySet().retainAll(nodes);
    reported.retainAll(nodes);
    for (String other : nodes) {
      if (!name.isEmpty() && !other.equals(node) && other.startsWith(name)) {
        long since = firstSeen.computeIfAbsent(other, unused -> ticker.nanos());
        if (ticker.since(since).compareTo(leaseFor.multipliedBy(2)) > 0 && reported.add(other)) {
          return Optional.of(other);
        }
      }
    }
    return Optional.empty();
  }
}
