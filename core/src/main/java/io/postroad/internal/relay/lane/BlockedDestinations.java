package io.postroad.internal.relay.lane;

import io.postroad.internal.relay.Permit;
import io.postroad.internal.relay.SettleRules;
import io.postroad.spi.LaneBatch;
import io.postroad.store.OrderKey;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds destinations of a lane that are paused or down, and releases their blocked messages when
 * they are not any more. The messages are in the database, where the next owner finds them.
 *
 * <p>Used by one thread.
 */
final class BlockedDestinations {
  /** How far {@link #lookAhead} reads at once. */
  private static final int BATCHES_AHEAD = 20;

  private final OwnedLane lane;
  private final LaneState state;
  private final SettleRules rules;
  private final BlockedCycle blocked;

  BlockedDestinations(OwnedLane lane, LaneState state, SettleRules rules, BlockedCycle blocked) {
    this.lane = lane;
    this.state = state;
    this.rules = rules;
    this.blocked = blocked;
  }

  /** Reads from the database which destinations are blocked, for example by an earlier owner. */
  void find() {
    Set<String> found =
        lane.events()
            .ask(
                "blocked destinations",
                () -> lane.store().blockedMessages().destinations(lane.lease()));
    found.forEach(lane.breaker()::suspect);
    state.blockDestinations(found);
  }

  /**
   * Reads the pauses when that is due.
   *
   * @param first whether this is the first pass; {@code runOnce} of a relay has a new one each time
   */
  void readPauses(boolean first) {
    if (lane.breaker().isPauseReadDue() || first) {
      lane.breaker().replacePauses(lane.events().ask("pauses", () -> lane.store().pauses().list()));
    }
  }

  /**
   * Releases blocked keys: one of a destination that is probed, those of an open one batch by
   * batch, as the earlier ones are delivered.
   */
  void release() {
    boolean idle = blocked.isIdle();
    for (String destination : state.blockedDestinations()) {
      boolean probes = lane.breaker().isDown(destination);
      if (probes || idle || state.returning() < lane.options().maxBatch()) {
        int limit = lane.breaker().releaseLimit(destination, lane.options().maxBatch());
        if (limit > 0) {
          release(destination, limit, probes);
        }
      }
    }
  }

  private void release(String destination, int limit, boolean probes) {
    Set<OrderKey> released =
        lane.events()
            .ask(
                "release",
                () -> lane.store().blockedMessages().open(lane.lease(), destination, limit));
    state.release(released);
    if (!released.isEmpty()) {
      blocked.pollSoon();
    } else if (probes) {
      lane.breaker().noneReleased(destination);
    }
    if (!probes && released.size() < limit) {
      free(destination);
    }
  }

  /**
   * Frees a destination without blocked messages. Reads the blocked keys, since keys may be due
   * that this owner has not seen released: the answer of the store was lost, or an operator decided
   * about them.
   */
  private void free(String destination) {
    state.blockKeys(
        lane.events().ask("blocked keys", () -> lane.store().blockedMessages().keys(lane.lease())));
    blocked.pollSoon();
    lane.breaker().noneBlocked(destination);
    state.freeDestination(destination, claim -> rules.notSent(claim, Permit.BLOCKED_KEY));
  }

  /**
   * Blocks the destinations of the send window if all of them are down, and if there are messages
   * to other destinations further on. Called when the send window is full.
   */
  void lookAhead(LaneReader reader) {
    if (lane.breaker().allClosed()) {
      return;
    }
    Set<String> inTheWay = new HashSet<>();
    for (LaneMessage message : state.rest()) {
      if (message.send() != null) {
        return;
      }
      if (message.isWaiting()) {
        inTheWay.add(message.destination());
      }
    }
    if (!inTheWay.stream().allMatch(lane.breaker()::isDown)) {
      return;
    }
    boolean more = true;
    for (int i = 0; i < BATCHES_AHEAD && more; i++) {
      LaneBatch further =
          lane.events().ask("look ahead", () -> reader.peek(lane.options().maxBatch()));
      if (further.entries().stream()
          .anyMatch(entry -> !lane.breaker().isKnownBlocked(entry.message().destination()))) {
        state.blockDestinations(inTheWay);
        return;
      }
      more = further.full();
    }
  }
}
