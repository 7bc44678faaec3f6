package io.postroad.internal.relay.lane;

import io.postroad.internal.relay.Announcer;
import io.postroad.internal.relay.Gates;
import io.postroad.internal.relay.RelayParts;
import io.postroad.message.Message;
import io.postroad.outbox.RelayOptions;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.OrderedStore;
import io.postroad.store.OrderKey;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The destinations of a lane that are not open, and what becomes of their messages.
 *
 * <p>While others wait behind them they step aside: into the database, all of them, until the
 * destination is open again and everything that was set aside is due. So order needs no memory of
 * single keys while there may be millions. While no destination answers at all they stay where they
 * are, which costs nothing.
 *
 * <p>Used by one thread. What is set aside is in the database: the next owner asks for it.
 */
final class LaneGate {

  /** Where a message goes that waits for nobody of its key. */
  enum Way {
    SEND,
    ASIDE,
    STAY
  }

  /** As far as it looks at once. */
  private static final int BATCHES_AHEAD = 20;

  private final OrderedStore<?> store;
  private final Tenure tenure;
  private final RelayOptions options;
  private final Gates gates;
  private final Announcer news;
  private final LaneRules rules;
  private final LaneWindow window;
  private final HeldKeys heldKeys;
  private final HeldCycle held;
  private final Set<String> aside = new HashSet<>();

  /** Keys that were let back and have messages still. */
  private final Set<OrderKey> underWay = new HashSet<>();

  LaneGate(
      OrderedStore<?> store,
      Tenure tenure,
      RelayParts parts,
      LaneRules rules,
      LaneWindow window,
      HeldKeys heldKeys,
      HeldCycle held) {
    this.store = store;
    this.tenure = tenure;
    this.rules = rules;
    this.window = window;
    this.heldKeys = heldKeys;
    this.held = held;
    this.options = parts.options();
    this.gates = parts.gates();
    this.news = parts.announcer();
  }

  /** The way of a message; a probe of its destination is given away by asking. */
  Way way(Message message) {
    String destination = message.destination();
    if (aside.isEmpty() && gates.allOpen()) {
      return Way.SEND;
    }
    if (aside.contains(destination) || gates.shouldStepAside(destination)) {
      aside.add(destination);
      return Way.ASIDE;
    }
    return gates.ask(message) == Gates.Permit.SHUT ? Way.STAY : Way.SEND;
  }

  /** Whether it is down and its messages stay where they are. */
  boolean isTriedInPlace(String destination) {
    return gates.isDown(destination)
        && !aside.contains(destination)
        && !gates.shouldStepAside(destination);
  }

  /** A message to it is about to be set aside. */
  void noteAside(String destination) {
    aside.add(destination);
  }

  /** Asks the database, as an owner does who has just come. */
  void findAside() {
    Set<String> found =
        news.ask("destinations aside", () -> store.blockedMessages().destinations(tenure.lease()));
    found.forEach(gates::suspect);
    aside.addAll(found);
  }

  /**
   * Sees what people paused, when it is time to, and at first: {@code runOnce} has a new gate for
   * every pass.
   */
  void look(boolean first) {
    if (gates.isTimeToLook() || first) {
      gates.see(news.ask("pauses", () -> store.pauses().list()));
    }
  }

  /**
   * Lets keys come back that were set aside: one of a destination that is tried, those of an open
   * one batch by batch, as the ones before are through.
   */
  void letBack() {
    boolean idle = held.isIdle();
    for (String destination : List.copyOf(aside)) {
      boolean tries = gates.isDown(destination);
      if (!tries && !idle && underWay.size() >= options.maxBatch()) {
        continue;
      }
      int limit = gates.toOpen(destination, options.maxBatch());
      if (limit > 0) {
        letBack(destination, limit, tries);
      }
    }
  }

  private void letBack(String destination, int limit, boolean tries) {
    Set<OrderKey> opened = news.ask("open", () -> store.blockedMessages().open(tenure.lease(), destination, limit));
    opened.forEach(heldKeys::hold);
    underWay.addAll(opened);
    if (!opened.isEmpty()) {
      held.pollSoon();
    } else if (tries) {
      gates.letNoneBack(destination);
    }
    if (!tries && opened.size() < limit) {
      leave(destination);
    }
  }

  /**
   * Nothing is set aside any more. Keys may be due that this owner has not seen opened: it got no
   * answer then, or a person decided about them.
   */
  private void leave(String destination) {
    news.ask("held keys", () -> store.blockedMessages().keys(tenure.lease())).forEach(heldKeys::hold);
    held.pollSoon();
    aside.remove(destination);
    gates.letAllBack(destination);
    window.join(destination, heldKeys, rules);
  }

  /** Held messages were settled: keys that are through, and those that were set aside again. */
  void settled(HeldCycle.Outcome outcome) {
    aside.addAll(outcome.destinationsAside());
    underWay.removeAll(outcome.emptied());
    underWay.removeIf(key -> outcome.destinationsAside().contains(key.destination()));
  }

  /**
   * When there is no room to read on because of messages to destinations that are down, and none
   * answers: whether there are others further on, who should not wait for them.
   */
  void lookAhead(LaneReader reader) {
    if (gates.allOpen()) {
      return;
    }
    Set<String> inTheWay = new HashSet<>();
    for (Slot slot : window.notDone()) {
      if (slot.isFlying()) {
        return;
      }
      if (slot.isWaiting()) {
        inTheWay.add(slot.message().destination());
      }
    }
    if (!inTheWay.stream().allMatch(gates::isDown)) {
      return;
    }
    boolean more = true;
    for (int i = 0; i < BATCHES_AHEAD && more; i++) {
      LaneBatch further = news.ask("look ahead", () -> reader.peek(options.maxBatch()));
      if (further.entries().stream()
          .anyMatch(entry -> !gates.isKnownShut(entry.message().destination()))) {
        aside.addAll(inTheWay);
        return;
      }
      more = further.full();
    }
  }
}
