package io.postroad.test;

import io.postroad.message.Message;
import io.postroad.spi.BlockedMessageStore;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneBatch;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LanePosition;
import io.postroad.spi.LaneStore;
import io.postroad.spi.LogStore;
import io.postroad.spi.Membership;
import io.postroad.spi.Settlement;
import io.postroad.spi.StoreFindings;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.BlockedKey;
import io.postroad.store.BlockedSummary;
import io.postroad.store.DeadLetter;
import io.postroad.store.Finding;
import io.postroad.store.OrderKey;
import io.postroad.store.StoredMessage;
import io.postroad.test.InMemoryTransaction.Staged;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Messages in lanes, read in order. */
final class OrderedDatabase extends Database implements LaneStore, LogStore, BlockedMessageStore {
  private static final Comparator<OrderKey> IN_ORDER =
      Comparator.comparing(OrderKey::destination).thenComparing(OrderKey::name);

  private final List<Lane> lanes;
  private final TreeSet<Long> openPlaces = new TreeSet<>();
  private final SortedMap<String, Instant> seenUntil = new TreeMap<>();
  private long latestCommit;
  private int cluster;

  OrderedDatabase(InstantSource clock, int lanes) {
    super(clock);
    if (lanes < 1) {
      throw new IllegalArgumentException("a store needs 1 lane or more, got " + lanes);
    }
    this.lanes = IntStream.range(0, lanes).mapToObj(lane -> new Lane(lane, cluster)).toList();
  }

  @Override
  public int count() {
    return lanes.size();
  }

  /** Ids are not unique here, as in a log that is written without looking. */
  @Override
  boolean isStored(InMemoryTransaction transaction, UUID id) {
    return false;
  }

  @Override
  void staged(Staged message) {
    openPlaces.add(message.place());
  }

  @Override
  void committed(List<Staged> messages) {
    latestCommit++;
    for (Staged staged : messages) {
      openPlaces.remove(staged.place());
      Lane lane = lanes.get(OrderKey.of(staged.message()).lane(lanes.size()));
      if (staged.isScheduled()) {
        lane.scheduled.add(staged);
      } else {
        lane.log.add(LogRow.of(staged, staged.place(), latestCommit));
      }
    }
  }

  @Override
  void rolledBack(List<Staged> messages) {
    messages.forEach(staged -> openPlaces.remove(staged.place()));
  }

  synchronized void lockKeys(InMemoryTransaction transaction, Set<OrderKey> keys) {
    transaction.requireOpenIn(this);
    keys.stream().sorted(IN_ORDER).forEach(key -> locks.take(transaction, "order " + key));
  }

  @Override
  public synchronized Membership heartbeat(String node, Duration seenFor) {
    Instant now = now();
    seenUntil.put(node, now.plus(seenFor));
    seenUntil.values().removeIf(until -> !until.isAfter(now));
    List<Membership.LaneOwner> seats =
        IntStream.range(0, lanes.size())
            .mapToObj(lane -> new Membership.LaneOwner(lane, lanes.get(lane).seat.at(now).owner()))
            .toList();
    return new Membership(List.copyOf(seenUntil.keySet()), seats);
  }

  @Override
  public synchronized void leave(String node) {
    seenUntil.remove(node);
  }

  @Override
  public synchronized Optional<LaneLease> take(int number, String node, Duration leaseFor) {
    return lanes.get(number).take(node, now(), leaseFor, cluster, latestCommit);
  }

  @Override
  public synchronized void renew(LaneLease lease, Duration leaseFor) {
    Lane lane = fenced(lease, "renew its lease");
    lane.seat.renew(now().plus(leaseFor));
    lane.flush();
  }

  @Override
  public synchronized void release(LaneLease lease) {
    Lane lane = lanes.get(lease.lane());
    if (lane.seat.isHeldBy(lease)) {
      lane.seat.release();
      lane.flush();
    }
  }

  @Override
  public synchronized LaneBatch read(LaneLease lease, LanePosition after, int limit) {
    long firstOpen = openPlaces.isEmpty() ? Long.MAX_VALUE : openPlaces.first();
    return fenced(lease, "read").log.read((Position) after, limit, latestCommit, firstOpen);
  }

  @Override
  public synchronized void advance(LaneLease lease, LanePosition upTo, List<Settlement> held) {
    Lane lane = fenced(lease, "advance");
    lane.advance((Position) upTo);
    if (!held.isEmpty()) {
      lane.held.hold(held, now());
      lane.flush();
    }
  }

  @Override
  public synchronized Set<OrderKey> keys(LaneLease lease) {
    return fenced(lease, "read the blocked keys").held.keys();
  }

  @Override
  public synchronized boolean isBlocked(OrderKey key) {
    return lanes.get(key.lane(lanes.size())).held.isHeld(key);
  }

  @Override
  public synchronized List<Claim> take(LaneLease lease, int limit) {
    Lane lane = fenced(lease, "take blocked messages");
    lane.flush();
    return lane.held.take(lease.node(), limit, now());
  }

  @Override
  public synchronized Set<OrderKey> settle(LaneLease lease, Collection<Settlement> settlements) {
    Lane lane = fenced(lease, "settle blocked messages");
    lane.flush();
    return lane.held.settle(settlements, now());
  }

  @Override
  Stream<Waiting> waitingForDestinations() {
    return lanes.stream().flatMap(lane -> lane.held.waitingForDestinations());
  }

  @Override
  public synchronized Set<String> destinations(LaneLease lease) {
    return fenced(lease, "read the blocked destinations")
        .held
        .waitingForDestinations()
        .map(Waiting::destination)
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public synchronized Set<OrderKey> open(LaneLease lease, String destination, int limit) {
    BlockedDestination.checkLimit(limit);
    Lane lane = fenced(lease, "open a destination");
    lane.flush();
    return lane.held.open(destination, limit, now());
  }

  @Override
  public synchronized int admitDue(LaneLease lease, int limit) {
    Lane lane = fenced(lease, "admit scheduled messages");
    List<Staged> due = lane.scheduled.takeDue(limit, now());
    latestCommit++;
    due.forEach(staged -> lane.log.add(LogRow.of(staged, nextPlace(), latestCommit)));
    lane.flush();
    return due.size();
  }

  @Override
  public synchronized long decisions(LaneLease lease) {
    return fenced(lease, "read the decisions").decisions();
  }

  synchronized List<BlockedKey> parkedKeys(Optional<OrderKey> after, int limit) {
    return allParked()
        .filter(parked -> after.isEmpty() || IN_ORDER.compare(parked.key(), after.get()) > 0)
        .sorted(Comparator.comparing(BlockedKey::key, IN_ORDER))
        .limit(limit)
        .toList();
  }

  private Stream<BlockedKey> allParked() {
    return lanes.stream().flatMap(lane -> lane.held.parkedKeys(lanes.indexOf(lane)));
  }

  /** The dead letter that parks a key. */
  synchronized Optional<UUID> parkedBy(OrderKey key) {
    return allParked()
        .filter(parked -> parked.key().equals(key))
        .map(BlockedKey::deadLetter)
        .findFirst();
  }

  /** Those of the messages that park their key. */
  synchronized List<UUID> parking(Collection<UUID> ids) {
    return deadLetters()
        .filter(letter -> letter.blocksKey() && ids.contains(letter.id()))
        .map(DeadLetter::id)
        .toList();
  }

  synchronized BlockedSummary summary() {
    List<BlockedKey> all = allParked().toList();
    Instant now = now();
    return new BlockedSummary(
        Math.min(all.size(), Backlog.COUNT_LIMIT),
        Math.min(all.stream().mapToLong(BlockedKey::messages).sum(), Backlog.COUNT_LIMIT),
        all.stream()
            .map(BlockedKey::since)
            .min(Comparator.naturalOrder())
            .map(since -> Duration.between(since, now))
            .orElse(Duration.ZERO));
  }

  @Override
  synchronized List<Finding> examine() {
    Instant now = now();
    return IntStream.range(0, lanes.size())
        .filter(lane -> lanes.get(lane).seat.at(now).owner().isEmpty())
        .mapToObj(lane -> StoreFindings.laneWithoutOwner(lane, lanes.get(lane).seat.lastNode()))
        .toList();
  }

  @Override
  Stream<DeadLetter> deadLetters() {
    return lanes.stream().flatMap(lane -> lane.held.deadLetters());
  }

  @Override
  void replay(DeadLetter letter) {
    Lane lane = laneOf(letter);
    lane.held.replay(letter.id(), now());
    lane.decided();
  }

  @Override
  void replace(DeadLetter letter, Message replacement) {
    Lane lane = laneOf(letter);
    lane.log.replace(lane.held.replace(letter.id(), replacement, now()), replacement);
    lane.decided();
  }

  @Override
  void discard(DeadLetter letter) {
    Lane lane = laneOf(letter);
    lane.log.remove(lane.held.discard(letter.id(), now()));
    lane.decided();
  }

  void skip(DeadLetter letter) {
    Lane lane = laneOf(letter);
    lane.held.skip(letter.id(), now());
    lane.decided();
  }

  private Lane laneOf(DeadLetter letter) {
    return lanes.stream().filter(lane -> lane.held.has(letter.id())).findFirst().orElseThrow();
  }

  private Lane fenced(LaneLease lease, String verb) {
    Lane lane = lanes.get(lease.lane());
    lane.requireHeldBy(lease, verb);
    return lane;
  }

  synchronized void forgetMemory() {
    lanes.forEach(Lane::crash);
  }

  synchronized void changeCluster() {
    cluster++;
    lanes.forEach(Lane::crash);
  }

  @Override
  int purgeMessages(Instant before, int limit) {
    int removed = 0;
    for (Lane lane : lanes) {
      removed += lane.purge(before, limit - removed);
    }
    return removed;
  }

  @Override
  synchronized Optional<StoredMessage> find(UUID id) {
    return lanes.stream().flatMap(lane -> lane.find(id).stream()).findFirst();
  }

  @Override
  synchronized Backlog backlog() {
    Instant now = now();
    long pending = lanes.stream().mapToLong(Lane::pending).sum();
    long dead = lanes.stream().mapToLong(lane -> lane.held.dead()).sum();
    Duration lag =
        lanes.stream()
            .flatMap(Lane::dueTimes)
            .min(Comparator.naturalOrder())
            .filter(dueAt -> !dueAt.isAfter(now))
            .map(dueAt -> Duration.between(dueAt, now))
            .orElse(Duration.ZERO);
    return new Backlog(
        Math.min(pending, Backlog.COUNT_LIMIT), Math.min(dead, Backlog.COUNT_LIMIT), lag);
  }
}
