package io.postroad.internal.relay.lane;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.SettleRules;
import io.postroad.internal.relay.Verdict;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.LaneLease;
import io.postroad.spi.Settlement;
import io.postroad.store.OrderKey;
import java.time.Duration;

/**
 * {@link SettleRules} for a lane, and what order adds to them.
 *
 * <p>After an owner that crashed, what it had handed over may still be on its way. Until one send
 * timeout has passed no message is declared dead, because its key would be parked while its
 * followers still arrive.
 */
final class LaneRules {
  private final SettleRules rules;
  private final Ticker ticker;
  private final boolean afterCrash;
  private final long began;
  private final Duration sendTimeout;

  LaneRules(RelayParts parts, LaneLease lease) {
    this.rules = parts.rules();
    this.ticker = parts.ticker();
    this.afterCrash = lease.crashedNode().isPresent();
    this.began = parts.ticker().nanos();
    this.sendTimeout = parts.sender().timeout();
  }

  boolean isExhausted(Claim claim) {
    return rules.isExhausted(claim);
  }

  Verdict exhausted(Claim claim) {
    return notTooSoon(claim, rules.exhausted(claim));
  }

  Verdict after(Claim claim, SendOutcome outcome) {
    return notTooSoon(claim, rules.after(claim, outcome));
  }

  /** It is sent again from where it is. */
  Verdict inPlace(Claim claim, SendOutcome.Unknown unknown) {
    return rules.unknown(claim, unknown);
  }

  /** Its key got no answer while others did. */
  Verdict blocked(Claim claim, SendOutcome.Unknown unknown, HeldKeys keys, Duration waited) {
    int tries = keys.countUnanswered(OrderKey.of(claim.message()));
    return rules.blocked(claim, unknown, tries, keys.unanswered(), waited);
  }

  /** It waits until its destination is open. */
  Verdict setAside(Claim claim) {
    return rules.setAside(claim);
  }

  /** It waits behind another message of its key. */
  Verdict behind(Claim claim) {
    return rules.heldBack(claim, "waits behind an earlier message of its key");
  }

  /** It is not sent: another node may be sending it by now. */
  Verdict tooLate(Claim claim) {
    return rules.heldBack(claim, "taken too late: its lane may be another node's by now");
  }

  /** It is sent alone, and its attempt is written down before. */
  Verdict alone(Claim claim) {
    return rules.heldBack(claim, "sent alone because the relay crashed here before");
  }

  private Verdict notTooSoon(Claim claim, Verdict verdict) {
    if (!afterCrash || !(verdict.settlement() instanceof Settlement.Dead dead)) {
      return verdict;
    }
    Duration left = sendTimeout.minus(ticker.since(began));
    return left.compareTo(Duration.ZERO) > 0 ? rules.release(claim, left, dead.error()) : verdict;
  }
}
