package io.postroad.outbox;

import io.postroad.internal.loop.Check;
import io.postroad.internal.loop.NodeName;
import io.postroad.outbox.sender.MessageSender;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Options of an {@link OutboxRelay}. Immutable; the defaults pass every start-up check.
 *
 * @param name of this relay in logs and as the owner of leases; {@code relay-}, the host, the
 *     process id and a part that is drawn anew at each start. Two nodes with the same name cannot
 *     be told apart in logs, but only one of them owns a lane or an exclusive lease
 * @param workers loops that claim and send side by side on a competing store; 1, which keeps a
 *     broker busy. An ordered store has one loop per lane that this relay owns
 * @param batch messages asked for at once when there is little to do; 100
 * @param maxBatch how far the batch grows while there is a backlog; 1,000
 * @param leaseFor how long a claim of a competing store holds, and the exclusive lease of an
 *     adopted table; 60 s. Longer than the sender's timeout, or start is refused. After a crash its
 *     messages wait this long at most. Lanes have {@code laneLeaseFor}
 * @param laneLeaseFor how long a lane of an ordered store is owned without renewal; 10 s, renewed
 *     every quarter of it. After a crash its lanes wait this long at most. It may be shorter than
 *     the sender's timeout: a send may outlive it, but is not begun after it
 * @param sweepEvery longest time between two polls; 1 s. Also how late a due time may be noticed
 * @param maxAttempts attempts before a message is a dead letter; 8
 * @param backoff waits between attempts
 * @param retention how long delivered messages are kept; 7 days, zero keeps none
 * @param purgeEvery how often delivered messages past retention are removed; 1 min
 * @param drainFor how long {@link OutboxRelay#stop()} waits for messages in flight; 30 s, longer
 *     than the Kafka sender's timeout
 * @param maxErrorLength characters of an error text that are stored; 2,048
 * @param poisonKey how a key of an ordered store goes on after one of its messages has died; {@link
 *     PoisonKey#PARK}
 * @param breakAfter failures in a row, without an answer between, after which a destination counts
 *     as down and only single messages probe it; 5, zero never
 * @param probeEvery shortest time between two probes of a destination that is down; 1 s
 * @param auditFor how long decisions of operators are kept; 365 days
 */
public record RelayOptions(
    String name,
    int workers,
    int batch,
    int maxBatch,
    Duration leaseFor,
    Duration laneLeaseFor,
    Duration sweepEvery,
    int maxAttempts,
    Backoff backoff,
    Duration retention,
    Duration purgeEvery,
    Duration drainFor,
    int maxErrorLength,
    PoisonKey poisonKey,
    int breakAfter,
    Duration probeEvery,
    Duration auditFor) {

  /** Says whether messages behind one that has died wait for it, in an ordered store. */
  public enum PoisonKey {
    /** They wait until an operator replays, replaces, skips or discards it. */
    PARK,
    /** They are delivered without it, in order. */
    SKIP
  }

  private static final int MAX_BATCH = 10_000;

  /** The number of batches that one worker may have in flight at once. */
  private static final int BATCHES_IN_FLIGHT = 8;

  public RelayOptions {
    if (name.isBlank()) {
      throw new IllegalArgumentException("RelayOptions.name must not be empty; name the node");
    }
    Check.atLeast(1, workers, "RelayOptions.workers");
    Check.atLeast(1, batch, "RelayOptions.batch");
    Check.atLeast(batch, maxBatch, "RelayOptions.maxBatch (not below batch)");
    Check.atMost(MAX_BATCH, maxBatch, "RelayOptions.maxBatch");
    Check.positive(leaseFor, "RelayOptions.leaseFor");
    Check.positive(laneLeaseFor, "RelayOptions.laneLeaseFor");
    Check.positive(sweepEvery, "RelayOptions.sweepEvery");
    Check.atLeast(1, maxAttempts, "RelayOptions.maxAttempts");
    Check.notNegative(retention, "RelayOptions.retention");
    Check.positive(purgeEvery, "RelayOptions.purgeEvery");
    Check.notNegative(drainFor, "RelayOptions.drainFor");
    Check.atLeast(16, maxErrorLength, "RelayOptions.maxErrorLength");
    Check.atLeast(0, breakAfter, "RelayOptions.breakAfter");
    Check.positive(probeEvery, "RelayOptions.probeEvery");
    Check.positive(auditFor, "RelayOptions.auditFor");
  }

  public static RelayOptions defaults() {
    return new RelayOptions(
        NodeName.of("relay"),
        1,
        100,
        1000,
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
        8,
        Backoff.defaults(),
        Duration.ofDays(7),
        Duration.ofMinutes(1),
        Duration.ofSeconds(30),
        2048,
        PoisonKey.PARK,
        5,
        Duration.ofSeconds(1),
        Duration.ofDays(365));
  }

  /** Returns how many messages one worker may have claimed and not settled. */
  public int maxInFlight() {
    return maxInFlight(maxBatch);
  }

  /** Returns {@link #maxInFlight()} for batches that are at most this large. */
  public int maxInFlight(int largestBatch) {
    return BATCHES_IN_FLIGHT * largestBatch;
  }

  /**
   * Refuses a claim's lease that a slow send could outlive: another node would send the message a
   * second time. Lanes need no such rule. Their lease is renewed while sends are in flight, and
   * after a take-over both owners send the same messages in the same order.
   */
  void checkClaims(MessageSender sender) {
    if (leaseFor.compareTo(sender.timeout()) <= 0) {
      throw new IllegalArgumentException(
          "RelayOptions.leaseFor must exceed the timeout of sender '%s' (%s), got %s: raise the"
                  .formatted(sender.name(), sender.timeout(), leaseFor)
              + " lease or lower the sender's timeout");
    }
  }

  public RelayOptions withName(String name) {
    return with(draft -> draft.name = name);
  }

  public RelayOptions withWorkers(int workers) {
    return with(draft -> draft.workers = workers);
  }

  public RelayOptions withBatch(int batch) {
    return with(draft -> draft.batch = batch);
  }

  public RelayOptions withMaxBatch(int maxBatch) {
    return with(draft -> draft.maxBatch = maxBatch);
  }

  public RelayOptions withLeaseFor(Duration leaseFor) {
    return with(draft -> draft.leaseFor = leaseFor);
  }

  public RelayOptions withLaneLeaseFor(Duration laneLeaseFor) {
    return with(draft -> draft.laneLeaseFor = laneLeaseFor);
  }

  public RelayOptions withSweepEvery(Duration sweepEvery) {
    return with(draft -> draft.sweepEvery = sweepEvery);
  }

  public RelayOptions withMaxAttempts(int maxAttempts) {
    return with(draft -> draft.maxAttempts = maxAttempts);
  }

  public RelayOptions withBackoff(Backoff backoff) {
    return with(draft -> draft.backoff = backoff);
  }

  public RelayOptions withRetention(Duration retention) {
    return with(draft -> draft.retention = retention);
  }

  public RelayOptions withPurgeEvery(Duration purgeEvery) {
    return with(draft -> draft.purgeEvery = purgeEvery);
  }

  public RelayOptions withDrainFor(Duration drainFor) {
    return with(draft -> draft.drainFor = drainFor);
  }

  public RelayOptions withMaxErrorLength(int maxErrorLength) {
    return with(draft -> draft.maxErrorLength = maxErrorLength);
  }

  public RelayOptions withPoisonKey(PoisonKey poisonKey) {
    return with(draft -> draft.poisonKey = poisonKey);
  }

  public RelayOptions withBreakAfter(int breakAfter) {
    return with(draft -> draft.breakAfter = breakAfter);
  }

  public RelayOptions withProbeEvery(Duration probeEvery) {
    return with(draft -> draft.probeEvery = probeEvery);
  }

  public RelayOptions withAuditFor(Duration auditFor) {
    return with(draft -> draft.auditFor = auditFor);
  }

  private RelayOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** A mutable copy of the options. */
  private static final class Draft {
    private String name;
    private int workers;
    private int batch;
    private int maxBatch;
    private Duration leaseFor;
    private Duration laneLeaseFor;
    private Duration sweepEvery;
    private int maxAttempts;
    private Backoff backoff;
    private Duration retention;
    private Duration purgeEvery;
    private Duration drainFor;
    private int maxErrorLength;
    private PoisonKey poisonKey;
    private int breakAfter;
    private Duration probeEvery;
    private Duration auditFor;

    Draft(RelayOptions from) {
      name = from.name;
      workers = from.workers;
      batch = from.batch;
      maxBatch = from.maxBatch;
      leaseFor = from.leaseFor;
      laneLeaseFor = from.laneLeaseFor;
      sweepEvery = from.sweepEvery;
      maxAttempts = from.maxAttempts;
      backoff = from.backoff;
      retention = from.retention;
      purgeEvery = from.purgeEvery;
      drainFor = from.drainFor;
      maxErrorLength = from.maxErrorLength;
      poisonKey = from.poisonKey;
      breakAfter = from.breakAfter;
      probeEvery = from.probeEvery;
      auditFor = from.auditFor;
    }

    RelayOptions options() {
      return new RelayOptions(
          name,
          workers,
          batch,
          maxBatch,
          leaseFor,
          laneLeaseFor,
          sweepEvery,
          maxAttempts,
          backoff,
          retention,
          purgeEvery,
          drainFor,
          maxErrorLength,
          poisonKey,
          breakAfter,
          probeEvery,
          auditFor);
    }
  }
}
