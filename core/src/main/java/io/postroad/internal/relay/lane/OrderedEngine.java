package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Purger;
import io.postroad.internal.relay.RelayEngine;
import io.postroad.internal.relay.RelayEvents;
import io.postroad.internal.relay.RelayParts;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayPass;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.spi.Membership;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.WakeUps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the lanes of this node: reports the node as a member, takes free lanes, renews their leases,
 * and gives a lane away when another node has too few. Each lane has a {@link LaneWorker} on its
 * own thread.
 *
 * <p>A lease is renewed only while its worker makes progress, so a worker that hangs loses its lane
 * to a node that does not.
 *
 * <p>A lane that this node has lost and that no other node has taken meanwhile is taken back at
 * once, under a new epoch. Before that the old worker has ended and its send sessions are closed,
 * so that this node has one session for a lane at a time.
 */
public final class OrderedEngine implements RelayEngine {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

  /** The shortest time between two heartbeats, however many hints come in. */
  private static final Duration SHORTEST_BEAT = Duration.ofMillis(200);

  private record RunningLane(LaneWorker worker, BackgroundLoop loop) {
    boolean isLost() {
      return worker.lane().deadline().isLost();
    }
  }

  private final OrderedStore<?> store;
  private final RelayParts parts;
  private final RelayEvents events;
  private final String node;
  private final DuplicateNodeNames duplicateNames;
  private final Waiter waiter = new Waiter();
  private final List<BackgroundLoop> loops;
  private final Map<Integer, RunningLane> running = new ConcurrentHashMap<>();
  private WakeUps.Subscription wakeUps = () -> {};
  private boolean closing;
  private long heartbeatAt;
  private long renewedAt;
  private boolean isMember;

  public OrderedEngine(OrderedStore<?> store, RelayParts parts) {
    this.store = store;
    this.parts = parts;
    this.events = parts.events();
    // Unlike any other name, also that of a relay that had the same name and crashed.
    this.node = parts.options().name() + "/" + UUID.randomUUID().toString().substring(0, 8);
    this.duplicateNames = new DuplicateNodeNames(node, leaseFor(), parts.ticker());
    this.loops =
        List.of(
            parts.loop("lanes", this::ownLanes, waiter),
            parts.loop("purger", new Purger(store, parts), new Waiter()));
    this.renewedAt = parts.ticker().nanos();
  }

  @Override
  public void start() {
    wakeUps = store.wakeUps().subscribe(this::wakeUp);
    loops.forEach(BackgroundLoop::start);
  }

  /** Wakes the workers of all lanes, since a message may have been committed. */
  private void wakeUp() {
    running.values().forEach(lane -> lane.worker().lane().waiter().signal());
    if (running.isEmpty()) {
      // A lane may have been released.
      waiter.signal();
    }
  }

  @Override
  public boolean isAlive() {
    return loops.stream().noneMatch(BackgroundLoop::hasEnded);
  }

  /** Takes no more lanes, drains and releases those it has. */
  @Override
  public int stop() {
    // Leases are renewed while the lanes drain.
    List<RunningLane> last = takeNoMore();
    BackgroundLoop.stopAll(last.stream().map(RunningLane::loop).toList(), parts.stopWithin());
    int unsettled = last.stream().mapToInt(lane -> lane.worker().unsettled()).sum();
    wakeUps.close();
    BackgroundLoop.stopAll(loops, parts.stopWithin());
    leave();
    return unsettled;
  }

  private synchronized List<RunningLane> takeNoMore() {
    closing = true;
    return new ArrayList<>(running.values());
  }

  /** Runs one pass over each lane that it can get. */
  @Override
  public RelayPass runOnce() {
    RelayPass all = RelayPass.NOTHING;
    try {
      List<Integer> lanes = new ArrayList<>(LaneSpread.toTake(heartbeat(), node, Set.of()));
      // Only one lane probes a destination: another one should be first each time.
      Collections.shuffle(lanes);
      for (int lane : lanes) {
        Optional<LaneWorker> worker = takeLane(lane, () -> {});
        if (worker.isPresent()) {
          all = all.plus(worker.get().runToTheEnd(parts.sender().timeout().plus(RelayParts.GRACE)));
        }
      }
    } finally {
      leave();
    }
    return all;
  }

  /** Runs one pass of the owner's loop; returns how long to wait before the next one. */
  private Duration ownLanes() {
    dropEnded();
    renewDue();
    if ((isHeartbeatDue() && spread()) || isAnyLost()) {
      return SHORTEST_BEAT;
    }
    Duration beat = leaseFor().dividedBy(6);
    return beat.compareTo(parts.options().sweepEvery()) < 0 ? beat : parts.options().sweepEvery();
  }

  /** Takes and gives lanes; returns whether it took one, so that there may be more to take. */
  private synchronized boolean spread() {
    if (closing) {
      return false;
    }
    Membership membership = heartbeat();
    if (LaneSpread.shouldGive(membership, node)) {
      give();
    }
    List<Integer> lanes = LaneSpread.toTake(membership, node, running.keySet());
    lanes.forEach(this::take);
    return !lanes.isEmpty();
  }

  /** Returns whether a lane was lost whose worker has not ended yet. */
  private boolean isAnyLost() {
    return running.values().stream().anyMatch(RunningLane::isLost);
  }

  private boolean isHeartbeatDue() {
    return !isMember || parts.ticker().since(heartbeatAt).compareTo(SHORTEST_BEAT) >= 0;
  }

  private Membership heartbeat() {
    Membership membership =
        events.ask("heartbeat", () -> store.lanes().heartbeat(node, leaseFor()));
    heartbeatAt = parts.ticker().nanos();
    isMember = true;
    duplicateNames.find(membership.nodes()).ifPresent(this::reportDuplicateName);
    return membership;
  }

  private void reportDuplicateName(String other) {
    LOG.warn(
        "{}: another node has the same name: {}. Each lane still has one owner, but logs and tables"
            + " do not tell the two apart; give each node a name of its own",
        parts.options().name(),
        other);
  }

  private void take(int lane) {
    if (!running.containsKey(lane)) {
      takeLane(lane, waiter::signal)
          .ifPresent(
              worker -> {
                BackgroundLoop loop = parts.loop("lane-" + lane, worker, worker.lane().waiter());
                running.put(lane, new RunningLane(worker, loop));
                loop.start();
              });
    }
  }

  private Optional<LaneWorker> takeLane(int lane, Runnable onLost) {
    long askedAt = parts.ticker().nanos();
    Optional<LaneLease> taken =
        events.ask("take", () -> store.lanes().take(lane, node, leaseFor()));
    taken.ifPresent(this::reportTaken);
    return taken
        .map(lease -> new LaneDeadline(lease, leaseFor(), askedAt, parts.ticker()))
        .map(deadline -> new OwnedLane(store, deadline, parts, new Waiter()))
        .map(owned -> new LaneWorker(owned, onLost));
  }

  private void reportTaken(LaneLease lease) {
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
    events.signal(
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
    for (RunningLane lane : running.values()) {
      renew(lane.worker());
    }
    renewedAt = parts.ticker().nanos();
  }

  private void renew(LaneWorker worker) {
    Duration silent = parts.ticker().since(worker.aliveAt());
    if (silent.compareTo(parts.sender().timeout().plus(leaseFor())) > 0) {
      LOG.error(
          "{}: lane {} has made no pass for {} and is not renewed, so that another node can take it",
          parts.options().name(),
          worker.lane().lease().lane(),
          silent);
      return;
    }
    long askedAt = parts.ticker().nanos();
    try {
      events.run("renew", () -> store.lanes().renew(worker.lane().lease(), leaseFor()));
      worker.lane().deadline().renewed(askedAt);
    } catch (LaneLostException lost) {
      worker.lost("renew");
    }
  }

  /** Gives away the lane with the highest number: its worker drains and releases it. */
  private void give() {
    running.entrySet().stream()
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
    for (RunningLane lane : running.values()) {
      if (lane.isLost()) {
        lane.loop().askToStop();
      }
    }
    for (RunningLane lane : running.values()) {
      if (lane.loop().hasEnded()) {
        // A thread that was interrupted has not closed its sessions.
        lane.worker().abandon();
        running.values().remove(lane);
      }
    }
  }

  /** Ends the membership of this node; if that fails, the membership expires. */
  void leave() {
    try {
      store.lanes().leave(node);
    } catch (RuntimeException failed) {
      LOG.debug("{}: could not end its membership", parts.options().name(), failed);
    }
  }

  private Duration leaseFor() {
    return parts.options().laneLeaseFor();
  }
}
