package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Ticker;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.OutboxSignal.Subject;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Again;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides whether a claimed message is sent, and what becomes of it.
 *
 * <table>
 *   <caption>Outcome and result</caption>
 *   <tr><th>outcome</th><th>attempts left</th><th>result</th></tr>
 *   <tr><td>Accepted</td><td>any</td><td>delivered</td></tr>
 *   <tr><td>Rejected, again later</td><td>yes</td><td>retry after the backoff</td></tr>
 *   <tr><td>Rejected, again later</td><td>no</td><td>dead</td></tr>
 *   <tr><td>Rejected, again never</td><td>any</td><td>dead</td></tr>
 *   <tr><td>Unknown</td><td>any</td><td>released after the first backoff, attempt not counted</td></tr>
 *   <tr><td>Unknown, other keys of its destination got answers</td><td>any</td><td>released after a growing wait of 8 s at most, longer for thousands of keys; attempt not counted</td></tr>
 *   <tr><td>Rejected, again later, or Unknown; destination down or paused</td><td>any</td><td>blocked until the destination is open, attempt not counted</td></tr>
 *   <tr><td>not sent: destination down or paused</td><td>any</td><td>blocked until the destination is open, attempt not counted</td></tr>
 *   <tr><td>claimed beyond the last attempt</td><td>no</td><td>dead without sending</td></tr>
 *   <tr><td>not sent: too late in its lease</td><td>any</td><td>released after the first backoff, attempt not counted</td></tr>
 *   <tr><td>not sent: behind another message of its key, alone after a crash, lane or worker stopped</td><td>any</td><td>released at once, attempt not counted</td></tr>
 * </table>
 *
 * <p>Messages that the last owner of a lane sent before it crashed may still be on their way. Until
 * they have arrived or timed out, a message that would be dead is released instead: the dead letter
 * would block its key while its followers still arrive.
 */
public final class SettleRules {
  /** Keys without an answer are tried this often at least, unless the first wait is longer. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(8);

  /** Of many keys without an answer, a thousand are tried in a second. */
  private static final Duration WAIT_PER_KEY = Duration.ofMillis(1);

  private static final Duration LONGEST_FOR_MANY = Duration.ofSeconds(30);

  private final int maxAttempts;
  private final Backoff backoff;
  private final int maxErrorLength;
  private final boolean deadBlocksKey;
  private final CircuitBreaker breaker;
  private final RandomGenerator random;
  private final Ticker ticker;
  private final long noneDeadBefore;

  /**
   * Makes the rules of one loop.
   *
   * @param noneDeadBefore a reading of the ticker before which no message is declared dead
   */
  SettleRules(
      RelayOptions options,
      CircuitBreaker breaker,
      RandomGenerator random,
      Ticker ticker,
      long noneDeadBefore) {
    this.breaker = breaker;
    this.maxAttempts = options.maxAttempts();
    this.backoff = options.backoff();
    this.maxErrorLength = options.maxErrorLength();
    this.deadBlocksKey = options.poisonKey() == RelayOptions.PoisonKey.PARK;
    this.random = random;
    this.ticker = ticker;
    this.noneDeadBefore = noneDeadBefore;
  }

  /** Returns whether the message may be sent now, as far as its attempts and destination go. */
  public Permit ask(Claim claim) {
    return claim.attempt() > maxAttempts ? Permit.NO_ATTEMPT_LEFT : breaker.ask(claim.message());
  }

  /** Returns the result of a message that is not sent. */
  public MessageResult notSent(Claim claim, Permit why) {
    return switch (why) {
      case NO_ATTEMPT_LEFT -> dead(claim, usedAttempts(claim));
      case BLOCKED_DESTINATION -> destinationBlocked(claim);
      case LEASE_ENDING -> release(claim, backoff.first(), why.reason());
      case BLOCKED_KEY, ALONE, LANE_DEADLINE, STOPPED ->
          release(claim, Duration.ZERO, why.reason());
      case SEND, PROBE, WAIT ->
          throw new IllegalArgumentException(
              "message %s has the permit %s: it is sent or waits".formatted(claim.id(), why));
    };
  }

  private String usedAttempts(Claim claim) {
    String owner = claim.expiredOwner().map(", held by %s,"::formatted).orElse("");
    return "gave up without sending: all %d attempts were used, and the lease of the last one%s"
            .formatted(maxAttempts, owner)
        + " expired unsettled";
  }

  /** Returns the result of a message that was sent. */
  public MessageResult after(Claim claim, SendOutcome outcome) {
    return outcome.fold(
        accepted -> delivered(claim, accepted),
        rejected ->
            rejected.again() == Again.LATER && isDestinationBlocked(claim)
                ? destinationBlocked(claim)
                : failed(claim, rejected),
        unknown ->
            !unknown.onlyItsKey() && isDestinationBlocked(claim)
                ? destinationBlocked(claim)
                : unknown(claim, unknown));
  }

  private boolean isDestinationBlocked(Claim claim) {
    return breaker.isBlocked(claim.message().destination());
  }

  private MessageResult destinationBlocked(Claim claim) {
    String reason = bounded(breaker.reason(claim.message().destination()));
    return new MessageResult(
        new Settlement.Blocked(claim, reason),
        new OutboxSignal.SetAside(Subject.of(claim.message()), reason));
  }

  private static MessageResult delivered(Claim claim, Accepted accepted) {
    return new MessageResult(
        new Settlement.Delivered(claim),
        new OutboxSignal.Delivered(
            Subject.of(claim.message()), claim.attempt(), accepted.receipt()));
  }

  private MessageResult failed(Claim claim, Rejected rejected) {
    boolean last = claim.attempt() >= maxAttempts;
    if (last || rejected.again() == Again.NEVER) {
      return dead(claim, rejected.error());
    }
    Duration delay = backoff.delayAfter(claim.attempt(), random);
    String error = bounded(rejected.error());
    return new MessageResult(
        new Settlement.Retry(claim, delay, error),
        new OutboxSignal.RetryScheduled(
            Subject.of(claim.message()), claim.attempt(), delay, error));
  }

  /**
   * Returns the result of a message whose outcome is unknown. The delay has no jitter, so that
   * messages of one outage come back in their order.
   */
  public MessageResult unknown(Claim claim, Unknown unknown) {
    return release(claim, backoff.first(), unknown.error());
  }

  /**
   * Returns the result of a message whose key got no answer while others did. Many such keys come
   * back at a bounded rate, so that other keys lose little time with them.
   *
   * @param times how often in a row its key got no answer
   * @param keys how many keys got none
   * @param waited how long other messages waited for the missing answer
   */
  public MessageResult keyUnanswered(
      Claim claim, Unknown unknown, int times, int keys, Duration waited) {
    Duration first = backoff.first();
    Duration grown = first.multipliedBy(1L << Math.min(times - 1, 3));
    Duration most = longer(first, LONGEST_WAIT);
    Duration forKeys = WAIT_PER_KEY.multipliedBy(keys);
    Duration delay = longer(shorter(grown, most), shorter(forKeys, LONGEST_FOR_MANY));
    return release(claim, longer(delay, waited), unknown.error());
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private MessageResult release(Claim claim, Duration delay, String reason) {
    String bounded = bounded(reason);
    return new MessageResult(
        new Settlement.Release(claim, delay, bounded),
        new OutboxSignal.Released(Subject.of(claim.message()), delay, bounded));
  }

  private MessageResult dead(Claim claim, String error) {
    long tooSoonBy = noneDeadBefore - ticker.nanos();
    if (tooSoonBy > 0) {
      return release(claim, Duration.ofNanos(tooSoonBy), error);
    }
    String bounded = bounded(error);
    return new MessageResult(
        new Settlement.Dead(claim, bounded, deadBlocksKey),
        new OutboxSignal.Died(Subject.of(claim.message()), claim.attempt(), bounded));
  }

  private String bounded(String error) {
    return ErrorText.bounded(error, maxErrorLength);
  }
}
