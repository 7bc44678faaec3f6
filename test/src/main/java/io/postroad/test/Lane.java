package io.postroad.test;

import io.postroad.internal.store.LaneOwnership;
import io.postroad.spi.LaneLease;
import io.postroad.spi.LaneLostException;
import io.postroad.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** A lane: its owner, how far it is settled, its messages. Guarded by the database's lock. */
final class Lane {
  final LaneHolder seat = new LaneHolder();
  final LaneLog log = new LaneLog();
  final BlockedRows held = new BlockedRows();
  final ScheduledMessages scheduled = new ScheduledMessages();
  private final int number;
  private Position settled = Position.START;
  private Position durablySettled = Position.START;
  private int cluster;
  private long decisions;

  Lane(int number, int cluster) {
    this.number = number;
    this.cluster = cluster;
  }

  /** Takes the lane, or returns empty when another node owns it. */
  Optional<LaneLease> take(
      String node, Instant now, Duration leaseFor, int inCluster, long latestCommit) {
    LaneOwnership before = seat.at(now);
    if (!before.isFreeFor(node)) {
      return Optional.empty();
    }
    Optional<String> rescan = goBackIfMoved(inCluster, latestCommit);
    LaneOwnership taken = before.takenBy(node);
    seat.take(taken, now.plus(leaseFor));
    flush();
    return Optional.of(before.lease(number, taken, settled, rescan));
  }

  private Optional<String> goBackIfMoved(int inCluster, long latestCommit) {
    if (cluster == inCluster) {
      return Optional.empty();
    }
    long head = settled.head();
    settled = settled.backToFloor(latestCommit);
    String moved =
        "lane %d was moved from cluster %d to %d; what was committed late at places %d to %d is"
            .formatted(number, cluster, inCluster, settled.head() + 1, head);
    cluster = inCluster;
    return Optional.of(moved + " not known, so they are read again");
  }

  void requireHeldBy(LaneLease lease, String verb) {
    if (!seat.isHeldBy(lease)) {
      throw new LaneLostException(lease, verb);
    }
  }

  /** Not durable until something else is. */
  void advance(Position upTo) {
    settled = upTo;
    seat.progressed();
  }

  /** Makes all writes so far survive a crash. */
  void flush() {
    durablySettled = settled;
  }

  /** Drops all that a crash loses. */
  void crash() {
    settled = durablySettled;
    seat.fallAsleep();
  }

  /** Counts a decision about blocked messages. */
  void decided() {
    decisions++;
    flush();
  }

  long decisions() {
    return decisions;
  }

  int purge(Instant before, int limit) {
    flush();
    List<LogRow> old =
        log.rows().stream()
            .filter(row -> settled.covers(row) && !row.appendedAt().isAfter(before))
            .limit(limit)
            .toList();
    old.forEach(log::remove);
    return old.size();
  }

  Optional<StoredMessage> find(UUID id) {
    return held.find(id).or(() -> scheduled.find(id)).or(() -> findInLog(id));
  }

  private Optional<StoredMessage> findInLog(UUID id) {
    return log.rows().stream()
        .filter(row -> row.message().id().equals(id))
        .map(row -> row.stored(settled.covers(row)))
        .findFirst();
  }

  long pending() {
    return unsettled().count() + held.pending() + scheduled.count();
  }

  /** When everything that waits was or will be due; dead letters wait for nothing. */
  Stream<Instant> dueTimes() {
    return Stream.of(
            unsettled().map(LogRow::dueAt), held.dueTimes(), scheduled.nextDueAt().stream())
        .flatMap(times -> times);
  }

  private Stream<LogRow> unsettled() {
    return log.rows().stream().filter(row -> !settled.covers(row));
  }
}
