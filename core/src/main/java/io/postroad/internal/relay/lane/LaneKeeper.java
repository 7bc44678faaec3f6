package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Announcer;
import io.postroad.internal.relay.Namesakes;
import io.postroad.internal.relay.RelayParts;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.Membership;
import io.postroad.spi.OrderedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that this node owns its share of the lanes: says that it is here, takes lanes that are
 * free, renews the leases of those it owns, gives one away when another node has too few. Each lane
 * it owns has a {@link LaneWorker} on a thread of its own.
 *
 * <p>A lease is renewed only while its worker makes progress, so a worker that hangs loses its lane
 * to a node that does not.
 *
 * <p>A lane that this node has lost and that no other node has taken meanwhile is taken back at
 * once, under a new epoch. Before that the old worker has ended and its send sessions are closed,
 * so that this node has one session for a lane at a time.
 */
final class LaneKeeper implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

  /** At most so often, however many hints come in. */
  private static final Duration SHORTEST_BEAT = Duration.ofMillis(200);

  private record Seat(LaneWorker worker, BackgroundLoop loop, Waiter waiter) {}

  private final OrderedStore<?> store;
  private final RelayParts parts;
  private final String node;
  private final Waiter waiter;
  private final Announcer news;
  private final Namesakes namesakes;
  private final Map<Integer, Seat> seats = new ConcurrentHashMap<>();
  private boolean closing;
  private long attendedAt;
  private long renewedAt;
  private boolean attended;

  /**
   * Makes a keeper that owns nothing yet.
   *
   * @param waiter ends the wait between two passes of this keeper
   */
  LaneKeeper(OrderedStore<?> store, RelayParts parts, String node, Waiter waiter) {
    this.store = store;
    this.parts = parts;
    this.node = node;
    this.waiter = waiter;
    this.news = parts.announcer();
    this.namesakes = new Namesakes(node, parts.options().laneLeaseFor(), parts.ticker());
    this.renewedAt = parts.ticker().nanos();
  }

  @Override
  public Duration runOnce() {
    dropEnded();
    renewDue();
    if ((isTimeToAttend() && spread()) || isAnyLost()) {
      return SHORTEST_BEAT;
    }
    Duration beat = leaseFor().dividedBy(6);
    return beat.compareTo(parts.options().sweepEvery()) < 0 ? beat : parts.options().sweepEvery();
  }

  /** Whether it took a lane, so that there may be more to take. */
  private synchronized boolean spread() {
    if (closing) {
      return false;
    }
    Membership board = attend();
    if (LaneSpread.shouldGive(board, node)) {
      give();
    }
    List<Integer> lanes = LaneSpread.toTake(board, node, seats.keySet());
    lanes.forEach(this::take);
    return !lanes.isEmpty();
  }

  /** Returns whether a lane was lost whose worker has not ended yet. */
  private boolean isAnyLost() {
    return seats.values().stream().anyMatch(seat -> seat.worker().tenure().isLost());
  }

  private boolean isTimeToAttend() {
    return !attended || parts.ticker().since(attendedAt).compareTo(SHORTEST_BEAT) >= 0;
  }

  private Membership attend() {
    Membership board = news.ask("attend", () -> store.lanes().heartbeat(node, leaseFor()));
    attendedAt = parts.ticker().nanos();
    attended = true;
    namesakes.see(board.nodes()).ifPresent(this::tellNamesake);
    return board;
  }

  private void tellNamesake(String other) {
    LOG.warn(
        "{}: another node has the same name: {}. Each lane still has one owner, but logs and tables"
            + " do not tell the two apart; give each node a name of its own",
        parts.options().name(),
        other);
  }

  private void take(int lane) {
    if (seats.containsKey(lane)) {
      return;
    }
    takeLane(lane)
        .ifPresent(
            tenure -> {
              Waiter hints = new Waiter();
              LaneWorker worker = new LaneWorker(store, tenure, parts, hints, this.waiter::signal);
              BackgroundLoop loop = parts.loop("lane-" + lane, worker, hints);
              seats.put(lane, new Seat(worker, loop, hints));
              loop.start();
            });
  }

  private Optional<Tenure> takeLane(int lane) {
    long askedAt = parts.ticker().nanos();
    Optional<LaneLease> taken = news.ask("take", () -> store.lanes().take(lane, node, leaseFor()));
    taken.ifPresent(this::tellTaken);
    return taken.map(lease -> new Tenure(lease, leaseFor(), askedAt, parts.ticker()));
  }

  private void tellTaken(LaneLease lease) {
    LOG.info(
        "{}: owns lane {}; epoch={} after={}",
        parts.options().name(),
        lease.lane(),
        lease.epoch(),
        lease.crashedNode().map(crashed -> "crash of " + crashed).orElse("release"));
    lease
        .rescan()
        .ifPresent(
            why ->
                LOG.warn(
                    "{}: lane {} is read again: {}", parts.options().name(), lease.lane(), why));
    news.signal(
        new OutboxSignal.LaneTaken(
            parts.options().name(),
            lease.lane(),
            lease.epoch(),
            lease.crashedNode(),
            lease.rescan()));
  }

  private void renewDue() {
    if (parts.ticker().since(renewedAt).compareTo(leaseFor().dividedBy(4)) < 0) {
      return;
    }
    for (Seat seat : seats.values()) {
      renew(seat.worker());
    }
    renewedAt = parts.ticker().nanos();
  }

  private void renew(LaneWorker worker) {
    Duration silent = parts.ticker().since(worker.aliveAt());
    if (silent.compareTo(parts.sender().timeout().plus(leaseFor())) > 0) {
      LOG.error(
          "{}: lane {} has made no pass for {} and is not renewed, so that another node can take it",
          parts.options().name(),
          worker.tenure().lease().lane(),
          silent);
      return;
    }
    long askedAt = parts.ticker().nanos();
    try {
      news.<Boolean>ask(
          "renew",
          () -> {
            store.lanes().renew(worker.tenure().lease(), leaseFor());
            return true;
          });
      worker.tenure().renewed(askedAt);
    } catch (LaneLostException lost) {
      worker.lost("renew");
    }
  }

  /** Gives away the lane that it took last: its worker drains and releases it. */
  private void give() {
    seats.entrySet().stream()
        .max(Map.Entry.comparingByKey())
        .ifPresent(
            last -> {
              LOG.info(
                  "{}: gives lane {} to a node that has fewer",
                  parts.options().name(),
                  last.getKey());
              last.getValue().loop().askToStop();
            });
  }

  /** Drops lanes that were lost or given away, once their threads have ended. */
  private void dropEnded() {
    for (Seat seat : seats.values()) {
      if (seat.worker().tenure().isLost()) {
        seat.loop().askToStop();
      }
    }
    for (Seat seat : seats.values()) {
      if (seat.loop().hasEnded()) {
        // A thread that was interrupted has not closed its sessions.
        seat.worker().abandon();
        seats.values().remove(seat);
      }
    }
  }

  /** A hint that something was committed: for the lanes, and for a node that has none. */
  void wakeUp() {
    seats.values().forEach(seat -> seat.waiter().signal());
  }

  boolean ownsNothing() {
    return seats.isEmpty();
  }

  /** Takes no more lanes, drains and releases those it has; how many messages stay unsettled. */
  int close() {
    List<Seat> last = takeNoMore();
    BackgroundLoop.stopAll(last.stream().map(Seat::loop).toList(), parts.stopWithin());
    return last.stream().mapToInt(seat -> seat.worker().unsettled()).sum();
  }

  private synchronized List<Seat> takeNoMore() {
    closing = true;
    return new ArrayList<>(seats.values());
  }

  /** Says that this node is gone; a node that cannot is found out by its silence. */
  void leave() {
    try {
      store.lanes().leave(node);
    } catch (RuntimeException failed) {
      LOG.debug("{}: could not say goodbye", parts.options().name(), failed);
    }
  }

  /** One pass over each lane that it can get, on the caller's thread. */
  RelayPass runAll() {
    RelayPass all = RelayPass.NOTHING;
    try {
      List<Integer> lanes = new ArrayList<>(LaneSpread.toTake(attend(), node, Set.of()));
      // What one lane tries of a destination is not tried by the others: none shall be first
      // always.
      Collections.shuffle(lanes);
      for (int lane : lanes) {
        Optional<Tenure> tenure = takeLane(lane);
        if (tenure.isPresent()) {
          LaneWorker worker = new LaneWorker(store, tenure.get(), parts, new Waiter(), () -> {});
          all = all.plus(worker.runToTheEnd(parts.sender().timeout().plus(RelayParts.GRACE)));
        }
      }
    } finally {
      leave();
    }
    return all;
  }

  private Duration leaseFor() {
    return parts.options().laneLeaseFor();
  }
}
