package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxSignal.Subject;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Again;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides what becomes of a claimed message; the one place that does.
 *
 * <table>
 *   <caption>Outcome and verdict</caption>
 *   <tr><th>outcome</th><th>attempts left</th><th>verdict</th></tr>
 *   <tr><td>Accepted</td><td>any</td><td>delivered</td></tr>
 *   <tr><td>Rejected, again later</td><td>yes</td><td>retry after the backoff</td></tr>
 *   <tr><td>Rejected, again later</td><td>no</td><td>dead</td></tr>
 *   <tr><td>Rejected, again never</td><td>any</td><td>dead</td></tr>
 *   <tr><td>Unknown</td><td>any</td><td>released after the first backoff, attempt not counted</td></tr>
 *   <tr><td>Unknown, other keys of its destination got answers</td><td>any</td><td>released after a growing wait of 8 s at most, longer for thousands of keys; attempt not counted</td></tr>
 *   <tr><td>Rejected, again later, or Unknown; destination down or paused</td><td>any</td><td>set aside, attempt not counted</td></tr>
 *   <tr><td>not sent: destination down or paused</td><td>any</td><td>set aside, attempt not counted</td></tr>
 *   <tr><td>claimed beyond the last attempt</td><td>no</td><td>dead without sending</td></tr>
 *   <tr><td>not sent: too late in its lease</td><td>any</td><td>released after the first backoff, attempt not counted</td></tr>
 * </table>
 */
public final class SettleRules {
  /** Keys without an answer are tried this often at least, unless the first wait is longer. */
  private static final Duration LONGEST_WHILE_BLOCKED = Duration.ofSeconds(8);

  /** Of many keys without an answer, a thousand are tried in a second. */
  private static final Duration PER_BLOCKED_KEY = Duration.ofMillis(1);

  private static final Duration LONGEST_FOR_MANY = Duration.ofSeconds(30);

  private final int maxAttempts;
  private final Backoff backoff;
  private final int maxErrorLength;
  private final boolean parksKey;
  private final Gates gates;
  private final RandomGenerator random;

  SettleRules(RelayOptions options, Gates gates, RandomGenerator random) {
    this.gates = gates;
    this.maxAttempts = options.maxAttempts();
    this.backoff = options.backoff();
    this.maxErrorLength = options.maxErrorLength();
    this.parksKey = options.poisonKey() == RelayOptions.PoisonKey.PARK;
    this.random = random;
  }

  /** Leases that expired used up its attempts: it may be the message that kills its relay. */
  public boolean isExhausted(Claim claim) {
    return claim.attempt() > maxAttempts;
  }

  public Verdict exhausted(Claim claim) {
    return dead(
        claim,
        "gave up without sending: all %d attempts were used, and the lease of the last one%s expired"
                .formatted(
                    maxAttempts, claim.expiredOwner().map(", held by %s,"::formatted).orElse(""))
            + " unsettled");
  }

  public Verdict notSent(Claim claim, String reason) {
    return release(claim, backoff.first(), reason);
  }

  public Verdict after(Claim claim, SendOutcome outcome) {
    return outcome.fold(
        accepted -> delivered(claim, accepted),
        rejected ->
            rejected.again() == Again.LATER && isShut(claim)
                ? setAside(claim)
                : failed(claim, rejected),
        unknown ->
            isShut(claim) && !unknown.onlyItsKey() ? setAside(claim) : unknown(claim, unknown));
  }

  private boolean isShut(Claim claim) {
    return !gates.allOpen() && gates.isShut(claim.message().destination());
  }

  /** Waits in the store until its destination is open. */
  public Verdict setAside(Claim claim) {
    String reason = bounded(gates.reason(claim.message().destination()));
    return new Verdict(
        new Settlement.Blocked(claim, reason),
        new OutboxSignal.SetAside(Subject.of(claim.message()), reason));
  }

  private static Verdict delivered(Claim claim, Accepted accepted) {
    return new Verdict(
        new Settlement.Delivered(claim),
        new OutboxSignal.Delivered(
            Subject.of(claim.message()), claim.attempt(), accepted.receipt()));
  }

  private Verdict failed(Claim claim, Rejected rejected) {
    boolean last = claim.attempt() >= maxAttempts;
    if (last || rejected.again() == Again.NEVER) {
      return dead(claim, rejected.error());
    }
    Duration delay = backoff.delayAfter(claim.attempt(), random);
    String error = bounded(rejected.error());
    return new Verdict(
        new Settlement.Retry(claim, delay, error),
        new OutboxSignal.RetryScheduled(
            Subject.of(claim.message()), claim.attempt(), delay, error));
  }

  /** Without jitter: what an outage held up together comes back together, not shuffled. */
  public Verdict unknown(Claim claim, Unknown unknown) {
    return release(claim, backoff.first(), unknown.error());
  }

  /**
   * Waits in the store because its key got no answer while others did. Many such keys come back at
   * a bounded rate, so that trying them costs the others little.
   *
   * @param tries how often in a row its key got no answer
   * @param keys how many keys got none
   * @param waited how long others waited for the answer that did not come
   */
  public Verdict blocked(Claim claim, Unknown unknown, int tries, int keys, Duration waited) {
    Duration first = backoff.first();
    Duration grown = first.multipliedBy(1L << Math.min(tries - 1, 3));
    Duration most = longer(first, LONGEST_WHILE_BLOCKED);
    Duration each = PER_BLOCKED_KEY.multipliedBy(keys);
    Duration delay = longer(shorter(grown, most), shorter(each, LONGEST_FOR_MANY));
    return release(claim, longer(delay, waited), unknown.error());
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Waits in the store, due at once, without having been sent. */
  public Verdict heldBack(Claim claim, String reason) {
    return release(claim, Duration.ZERO, reason);
  }

  public Verdict release(Claim claim, Duration delay, String reason) {
    String bounded = bounded(reason);
    return new Verdict(
        new Settlement.Release(claim, delay, bounded),
        new OutboxSignal.Released(Subject.of(claim.message()), delay, bounded));
  }

  private Verdict dead(Claim claim, String error) {
    String bounded = bounded(error);
    return new Verdict(
        new Settlement.Dead(claim, bounded, parksKey),
        new OutboxSignal.Died(Subject.of(claim.message()), claim.attempt(), bounded));
  }

  private String bounded(String error) {
    return ErrorText.bounded(error, maxErrorLength);
  }
}
