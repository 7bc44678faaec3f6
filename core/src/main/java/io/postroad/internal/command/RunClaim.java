package io.postroad.internal.command;

import io.postroad.spi.CommandClaim;
import io.postroad.spi.NewCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The claim of a run: its lease, its row, and its way back to the queue. Used by one thread at a
 * time.
 */
final class RunClaim<T> {

  /** How a command came to this node. */
  enum Origin {
    /** From the queue: the run checks the claim first, which locks the row. */
    CLAIMED,
    /** Accepted or handed off on this node just now: until the lease ends, no other node has it. */
    ACCEPTED
  }

  /** Long enough for another node to poll, and short for a caller that waits. */
  private static final Duration HAND_OVER_PAUSE = Duration.ofSeconds(5);

  private final CommandParts<T> parts;
  private final Origin origin;
  private final long claimedAt;
  private final long answeredAt;
  private volatile CommandClaim claim;

  /**
   * Makes a claim whose lease has begun.
   *
   * @param claimedAt when the claim was asked for, by the ticker
   */
  RunClaim(CommandParts<T> parts, CommandClaim claim, Origin origin, long claimedAt) {
    this.parts = parts;
    this.claim = claim;
    this.origin = origin;
    this.claimedAt = claimedAt;
    this.answeredAt = parts.threads().ticker().nanos();
  }

  CommandClaim get() {
    return claim;
  }

  NewCommand command() {
    return claim.command();
  }

  int attempt() {
    return claim.attempt();
  }

  /** Tells whether the row of the command is still to be written. */
  boolean isHandedOff() {
    return claim.isHandedOff();
  }

  boolean isFromQueue() {
    return origin == Origin.CLAIMED;
  }

  /** Tells whether a run that begins now could outlast its lease. */
  boolean isTooLateToBegin() {
    Duration needed = since(claimedAt).plus(parts.options().longestRun());
    return needed.compareTo(parts.options().leaseFor()) > 0;
  }

  /** Tells whether another node may have taken the command by now. */
  boolean isLeaseOver() {
    return since(claimedAt).compareTo(parts.options().leaseFor()) > 0;
  }

  /**
   * Tells whether the run may leave out the check of the claim. No other node takes, ends or
   * recalls the command before its lease is over, and the end fails if this node stood still for
   * longer. A command with a deadline is checked all the same, because the database has its clock.
   */
  boolean isSurelyHeld() {
    return origin == Origin.ACCEPTED && claim.timeLeft().isEmpty() && !isTooLateToBegin();
  }

  /**
   * Tells whether workers that crashed or never came back have used up its attempts. Perhaps
   * another command killed them, so it is tried once more, alone.
   */
  boolean isLastChance() {
    return attempt() == parts.options().maxAttempts() + 1;
  }

  /** Returns the time for a run: no more than its command has, unless that may be late. */
  Duration limit() {
    Duration longest = parts.options().handlerTimeout();
    return timeLeft()
        .filter(left -> left.compareTo(Duration.ZERO) > 0 && left.compareTo(longest) < 0)
        .orElse(longest);
  }

  private Optional<Duration> timeLeft() {
    return command().lateAllowed()
        ? Optional.empty()
        : claim.timeLeft().map(left -> left.minus(since(answeredAt)));
  }

  boolean isOverdue() {
    return timeLeft().filter(left -> left.isNegative() || left.isZero()).isPresent();
  }

  private Duration since(long reading) {
    return parts.threads().ticker().since(reading);
  }

  /**
   * Writes the row of a command that was handed off in memory, before the store is asked for
   * anything but its end.
   *
   * @return false when another node has written it, because it did not end in time
   */
  boolean writeRow() {
    if (!isHandedOff()) {
      return true;
    }
    Optional<CommandClaim> written =
        parts
            .events()
            .ask(
                "write",
                () ->
                    StepHandoff.handoffs(parts)
                        .write(command(), parts.options().name(), parts.options().leaseFor()));
    claim = written.orElse(claim);
    if (written.isEmpty()) {
      parts.events().lost(command());
    }
    return written.isPresent();
  }

  /** Has the command tried again after its backoff. */
  void retry(String error) {
    postpone(parts.options().backoff().delayAfter(attempt(), ThreadLocalRandom.current()), error);
  }

  /** Has the command tried again at once, after the database did not take its end. */
  void releaseUnsettled() {
    postpone(Duration.ZERO, "the database did not take its end");
  }

  private void postpone(Duration delay, String error) {
    giveBack(
        "retry",
        () -> parts.store().retry(claim, delay, error),
        () -> parts.events().retrying(command(), attempt(), delay, error));
  }

  /** Leaves the command to another node: this one cannot end it, which is no failure. */
  void handOver(String why) {
    giveBack(
        "handOver",
        () -> parts.store().handOver(claim, HAND_OVER_PAUSE, why),
        () -> parts.events().handedOver(command(), HAND_OVER_PAUSE, why));
  }

  private void giveBack(String verb, BooleanSupplier write, Runnable whenHeld) {
    if (!writeRow()) {
      return;
    }
    if (parts.events().ask(verb, write::getAsBoolean)) {
      whenHeld.run();
    } else {
      parts.events().lost(command());
    }
  }

  /** Gives commands back as if they had never been taken. */
  static <T> void release(CommandParts<T> parts, List<RunClaim<T>> all) {
    List<CommandClaim> claims = all.stream().filter(RunClaim::hasRow).map(RunClaim::get).toList();
    if (claims.isEmpty()) {
      return;
    }
    var released = parts.events().ask("release", () -> parts.store().release(claims));
    for (CommandClaim claim : claims) {
      if (released.contains(claim.id())) {
        parts.events().released(claim.command());
      } else {
        parts.events().lost(claim.command());
      }
    }
  }

  /** Writes its row if need be. A failure must not keep other commands from being given back. */
  private boolean hasRow() {
    try {
      return writeRow();
    } catch (RuntimeException | Error failed) {
      // Logged by the call to the store. The process finds its command later.
      return false;
    }
  }
}
