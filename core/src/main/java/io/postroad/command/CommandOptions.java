package io.postroad.command;

import io.postroad.internal.loop.Check;
import io.postroad.internal.loop.NodeName;
import io.postroad.outbox.Backoff;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a {@link CommandBus} works. Immutable; the defaults pass every check.
 *
 * @param name of this node in logs, threads and as the owner of leases; {@code commands-}, the
 *     host, the process id and a part that is drawn anew at each start
 * @param concurrency handlers that run at once; 10. Keep it at half the connection pool at most
 * @param batch commands that are taken at once; 50
 * @param handlerTimeout how long a handler may take, with all of its transaction to the end of the
 *     commit, before it is interrupted; 60 s
 * @param leaseFor how long a command is kept for the node that took it, from when it was taken; 3
 *     min. Must outlast {@code handlerTimeout}; what cannot begin early enough is given back
 * @param maxAttempts how often a command is tried before it has failed; 5. One whose workers
 *     crashed as often is tried once more, alone on its node: it may only have been taken together
 *     with the one they died of
 * @param backoff how long to wait between attempts
 * @param sweepEvery how often at least is looked for due commands and for deadlines; 1 s
 * @param retention how long commands that have ended are kept, and with them their idempotency keys
 *     and replies; 14 days
 * @param purgeEvery how often what is past its retention is forgotten; 1 min
 * @param drainFor how long {@link CommandBus#stop()} waits for handlers that run; 30 s
 * @param replyWithin how long a reply may take to a command that was sent to another service, where
 *     the request has no {@link CommandRequest#within}; 7 days. Counts from when the command is
 *     accepted, or from its {@link CommandRequest#notBefore}; then it has timed out
 * @param maxErrorLength characters of an error that are kept; 2,048
 * @param maxAwaited replies that are waited for at once on this node; 10,000
 */
public record CommandOptions(
    String name,
    int concurrency,
    int batch,
    Duration handlerTimeout,
    Duration leaseFor,
    int maxAttempts,
    Backoff backoff,
    Duration sweepEvery,
    Duration retention,
    Duration purgeEvery,
    Duration drainFor,
    Duration replyWithin,
    int maxErrorLength,
    int maxAwaited) {

  /** From the interrupt of a handler to when its thread is given up. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  public CommandOptions {
    if (name.isBlank()) {
      throw new IllegalArgumentException("CommandOptions.name must not be empty; name the node");
    }
    Check.atLeast(1, concurrency, "CommandOptions.concurrency");
    Check.atLeast(1, batch, "CommandOptions.batch");
    Check.atMost(1_000, batch, "CommandOptions.batch");
    Check.positive(handlerTimeout, "CommandOptions.handlerTimeout");
    Check.atLeast(1, maxAttempts, "CommandOptions.maxAttempts");
    Check.positive(sweepEvery, "CommandOptions.sweepEvery");
    Check.positive(retention, "CommandOptions.retention");
    Check.positive(purgeEvery, "CommandOptions.purgeEvery");
    Check.notNegative(drainFor, "CommandOptions.drainFor");
    Check.positive(replyWithin, "CommandOptions.replyWithin");
    Check.atLeast(16, maxErrorLength, "CommandOptions.maxErrorLength");
    Check.atMost(4_000, maxErrorLength, "CommandOptions.maxErrorLength");
    Check.atLeast(1, maxAwaited, "CommandOptions.maxAwaited");
    if (leaseFor.compareTo(longestRun(handlerTimeout)) <= 0) {
      throw new IllegalArgumentException(
          "CommandOptions.leaseFor (%s) must outlast handlerTimeout (%s) by more than %s: raise the"
                  .formatted(leaseFor, handlerTimeout, GRACE)
              + " lease, or another node takes a command that still runs");
    }
  }

  public static CommandOptions defaults() {
    return new CommandOptions(
        NodeName.of("commands"),
        10,
        50,
        Duration.ofSeconds(60),
        Duration.ofMinutes(3),
        5,
        Backoff.defaults(),
        Duration.ofSeconds(1),
        Duration.ofDays(14),
        Duration.ofMinutes(1),
        Duration.ofSeconds(30),
        Duration.ofDays(7),
        2048,
        10_000);
  }

  /** From the beginning of a run to its end, at most. */
  public Duration longestRun() {
    return longestRun(handlerTimeout);
  }

  private static Duration longestRun(Duration handlerTimeout) {
    return handlerTimeout.plus(GRACE);
  }

  public CommandOptions withName(String name) {
    return with(draft -> draft.name = name);
  }

  public CommandOptions withConcurrency(int concurrency) {
    return with(draft -> draft.concurrency = concurrency);
  }

  public CommandOptions withBatch(int batch) {
    return with(draft -> draft.batch = batch);
  }

  /** Both together, since one must outlast the other. */
  public CommandOptions withTimes(Duration handlerTimeout, Duration leaseFor) {
    return with(
        draft -> {
          draft.handlerTimeout = handlerTimeout;
          draft.leaseFor = leaseFor;
        });
  }

  public CommandOptions withMaxAttempts(int maxAttempts) {
    return with(draft -> draft.maxAttempts = maxAttempts);
  }

  public CommandOptions withBackoff(Backoff backoff) {
    return with(draft -> draft.backoff = backoff);
  }

  public CommandOptions withSweepEvery(Duration sweepEvery) {
    return with(draft -> draft.sweepEvery = sweepEvery);
  }

  public CommandOptions withRetention(Duration retention) {
    return with(draft -> draft.retention = retention);
  }

  public CommandOptions withPurgeEvery(Duration purgeEvery) {
    return with(draft -> draft.purgeEvery = purgeEvery);
  }

  public CommandOptions withDrainFor(Duration drainFor) {
    return with(draft -> draft.drainFor = drainFor);
  }

  public CommandOptions withReplyWithin(Duration replyWithin) {
    return with(draft -> draft.replyWithin = replyWithin);
  }

  public CommandOptions withMaxErrorLength(int maxErrorLength) {
    return with(draft -> draft.maxErrorLength = maxErrorLength);
  }

  public CommandOptions withMaxAwaited(int maxAwaited) {
    return with(draft -> draft.maxAwaited = maxAwaited);
  }

  private CommandOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Options of which some are about to change. */
  private static final class Draft {
    private String name;
    private int concurrency;
    private int batch;
    private Duration handlerTimeout;
    private Duration leaseFor;
    private int maxAttempts;
    private Backoff backoff;
    private Duration sweepEvery;
    private Duration retention;
    private Duration purgeEvery;
    private Duration drainFor;
    private Duration replyWithin;
    private int maxErrorLength;
    private int maxAwaited;

    Draft(CommandOptions from) {
      name = from.name;
      concurrency = from.concurrency;
      batch = from.batch;
      handlerTimeout = from.handlerTimeout;
      leaseFor = from.leaseFor;
      maxAttempts = from.maxAttempts;
      backoff = from.backoff;
      sweepEvery = from.sweepEvery;
      retention = from.retention;
      purgeEvery = from.purgeEvery;
      drainFor = from.drainFor;
      replyWithin = from.replyWithin;
      maxErrorLength = from.maxErrorLength;
      maxAwaited = from.maxAwaited;
    }

    CommandOptions options() {
      return new CommandOptions(
          name,
          concurrency,
          batch,
          handlerTimeout,
          leaseFor,
          maxAttempts,
          backoff,
          sweepEvery,
          retention,
          purgeEvery,
          drainFor,
          replyWithin,
          maxErrorLength,
          maxAwaited);
    }
  }
}
