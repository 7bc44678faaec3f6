package io.postroad.internal.relay.lane;

import io.postroad.internal.relay.CircuitBreaker;
import io.postroad.internal.relay.Permit;
import io.postroad.internal.relay.SettleRules;
import io.postroad.store.OrderKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers whether a message of a lane may be sent now, and if not, why. Asks {@link SettleRules}
 * and {@link CircuitBreaker} about the message and its destination, and adds what order needs.
 *
 * <p>Messages of a blocked destination leave the send window for the database, all of them, so that
 * order needs no memory of single keys while there may be millions. While no destination answers at
 * all they stay in the window, and single messages of it probe their destinations.
 *
 * <p>Used by one thread.
 */
final class LaneAdmission {
  private final LaneState state;
  private final CircuitBreaker breaker;
  private final SettleRules rules;

  /** How many messages are sent alone, because owners of the lane crashed without progress. */
  private int alone;

  /** The destinations of which a message stays in the window in this pass. */
  private final Set<String> staying = new HashSet<>();

  /** The messages that may probe a destination from the window in this pass. */
  private Map<String, LaneMessage> probes = Map.of();

  /** The blocked keys of which this pass sends no further message. */
  private final Set<OrderKey> stoppedKeys = new HashSet<>();

  LaneAdmission(LaneState state, CircuitBreaker breaker, SettleRules rules, int alone) {
    this.state = state;
    this.breaker = breaker;
    this.rules = rules;
    this.alone = alone;
  }

  /** Begins a pass over messages of the send window. */
  void begin(List<LaneMessage> waiting) {
    staying.clear();
    probes = breaker.allClosed() ? Map.of() : chooseProbes(waiting);
  }

  /** Answers for a message of the send window; asked once for each, in the order of the lane. */
  Permit ask(LaneMessage message) {
    if (state.hasBlockedKeys() && state.isBlocked(message.key())) {
      return Permit.BLOCKED_KEY;
    }
    Permit permit = staysBehind(message) ? Permit.WAIT : askDestination(message);
    if (permit == Permit.WAIT) {
      staying.add(message.destination());
    } else if (permit.isSend() && alone > 0) {
      alone--;
      return Permit.ALONE;
    }
    return permit;
  }

  /** Returns whether a message stayed in this pass, so that its destination has no message left. */
  boolean hasStaying() {
    return !staying.isEmpty();
  }

  /** Begins a pass over blocked messages. */
  void beginBlocked() {
    stoppedKeys.clear();
  }

  /** Answers for a blocked message that is due; asked once for each, in order per key. */
  Permit askBlocked(LaneMessage message) {
    OrderKey key = message.key();
    if (stoppedKeys.contains(key)) {
      return Permit.BLOCKED_KEY;
    }
    Permit permit = rules.ask(message.claim());
    if (permit != Permit.SEND || state.isUnanswered(key)) {
      stoppedKeys.add(key);
    }
    return permit;
  }

  private Permit askDestination(LaneMessage message) {
    String destination = message.destination();
    if (state.isDestinationBlocked(destination)) {
      return Permit.BLOCKED_DESTINATION;
    }
    if (breaker.allClosed()) {
      return Permit.SEND;
    }
    if (breaker.shouldBlock(destination)) {
      return Permit.BLOCKED_DESTINATION;
    }
    Permit permit = breaker.ask(message.message());
    return permit == Permit.BLOCKED_DESTINATION ? Permit.WAIT : permit;
  }

  /**
   * Returns whether the message stays: a circuit that closes meanwhile must not change the order.
   */
  private boolean staysBehind(LaneMessage message) {
    String destination = message.destination();
    return staying.contains(destination)
        ? message != probes.get(destination)
        : message != probes.getOrDefault(destination, message);
  }

  /**
   * Chooses the messages that may probe destinations that are down while their messages stay in the
   * window. Of each destination it is the message with the fewest unknown outcomes that waits for
   * none of its key: another one each time, because only a part of the destination may be down.
   */
  private Map<String, LaneMessage> chooseProbes(List<LaneMessage> waiting) {
    Map<String, LaneMessage> chosen = new HashMap<>();
    Set<OrderKey> keys = new HashSet<>();
    for (LaneMessage message : waiting) {
      String destination = message.destination();
      if (breaker.isDown(destination)
          && !state.isDestinationBlocked(destination)
          && !breaker.shouldBlock(destination)
          && keys.add(message.key())) {
        chosen.merge(
            destination, message, (one, other) -> other.unknowns() < one.unknowns() ? other : one);
      }
    }
    return chosen;
  }
}
