package io.postroad.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every row of the table in {@link SettleRules}. */
class SettleRulesTest {
  private final RelayOptions options =
      RelayOptions.defaults()
          .withMaxAttempts(3)
          .withBackoff(Backoff.defaults().withJitter(0))
          .withMaxErrorLength(32);
  private final AtomicLong nanos = new AtomicLong();
  private final CircuitBreaker breaker =
      new CircuitBreaker(options, new RelayEvents("node-1", signal -> {}), nanos::get);
  private final SettleRules rules = rules(0);

  private SettleRules rules(long noneDeadBefore) {
    return new SettleRules(options, breaker, new SplittableRandom(1), nanos::get, noneDeadBefore);
  }

  private static Claim claim(int attempt) {
    Message message = Message.event("OrderPlaced").to("orders").json("{}").build();
    return new Claim(message, 5, attempt, Instant.EPOCH, Optional.of("node-1"));
  }

  private void destinationGoesDown() {
    for (int i = 0; i < options.breakAfter(); i++) {
      breaker.heard(claim(1).message(), SendOutcome.Rejected.forNow("busy"));
    }
  }

  @Test
  void aFailureWhileItsDestinationIsDownIsBlocked() {
    destinationGoesDown();
    Claim last = claim(3);

    assertThat(rules.after(last, SendOutcome.Rejected.forNow("busy")).settlement())
        .isEqualTo(new Settlement.Blocked(last, "destination 'orders' is down:..."));
    assertThat(rules.after(last, new Unknown("no answer")).settlement())
        .isInstanceOf(Settlement.Blocked.class);
    assertThat(rules.notSent(last, Permit.BLOCKED_DESTINATION).signal())
        .isInstanceOfSatisfying(
            OutboxSignal.SetAside.class,
            signal -> assertThat(signal.message().id()).isEqualTo(last.id()));
  }

  @Test
  void anAcceptedOrRefusedMessageIsSettledAlthoughItsDestinationWasDown() {
    destinationGoesDown();

    assertThat(rules.after(claim(1), new Accepted(Map.of())).settlement())
        .isInstanceOf(Settlement.Delivered.class);
    assertThat(rules.after(claim(1), SendOutcome.Rejected.forGood("too large")).settlement())
        .isInstanceOf(Settlement.Dead.class);
  }

  @Test
  void acceptedIsDelivered() {
    Claim claim = claim(1);
    MessageResult result = rules.after(claim, new Accepted(Map.of("offset", "7")));

    assertThat(result.settlement()).isEqualTo(new Settlement.Delivered(claim));
    assertThat(result.signal())
        .isInstanceOfSatisfying(
            OutboxSignal.Delivered.class,
            delivered -> assertThat(delivered.receipt()).containsEntry("offset", "7"));
  }

  @Test
  void rejectedForNowIsRetriedAfterTheBackoff() {
    Claim claim = claim(2);

    assertThat(rules.after(claim, Rejected.forNow("busy")).settlement())
        .isEqualTo(new Settlement.Retry(claim, Duration.ofSeconds(2), "busy"));
  }

  @Test
  void rejectedAtTheLastAttemptIsDead() {
    Claim claim = claim(3);
    MessageResult result = rules.after(claim, Rejected.forNow("busy"));

    assertThat(result.settlement()).isEqualTo(new Settlement.Dead(claim, "busy"));
    assertThat(result.signal()).isInstanceOf(OutboxSignal.Died.class);
  }

  @Test
  void rejectedForGoodIsDeadAtOnce() {
    Claim claim = claim(1);

    assertThat(rules.after(claim, Rejected.forGood("too large")).settlement())
        .isEqualTo(new Settlement.Dead(claim, "too large"));
  }

  @Test
  void unknownIsReleasedWhateverTheAttempt() {
    Claim claim = claim(3);

    assertThat(rules.after(claim, new Unknown("timed out")).settlement())
        .isEqualTo(new Settlement.Release(claim, Duration.ofSeconds(1), "timed out"));
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless sender does
  void anOutcomeWithoutAReasonIsSettledAllTheSame() {
    assertThat(rules.after(claim(1), new Unknown(null)).settlement().lastError())
        .contains("no reason given");
    assertThat(rules.after(claim(1), Rejected.forGood(null)).settlement().lastError())
        .contains("no reason given");
  }

  @Test
  void aClaimBeyondTheLastAttemptIsDeadWithoutSending() {
    assertThat(rules.ask(claim(3))).isEqualTo(Permit.SEND);
    assertThat(rules.ask(claim(4))).isEqualTo(Permit.NO_ATTEMPT_LEFT);
    assertThat(rules.notSent(claim(4), Permit.NO_ATTEMPT_LEFT).settlement())
        .isInstanceOf(Settlement.Dead.class);
  }

  @Test
  void aClaimTooLateInItsLeaseIsReleasedAndComesBackLater() {
    Claim claim = claim(1);

    assertThat(rules.notSent(claim, Permit.LEASE_ENDING).settlement())
        .isEqualTo(
            new Settlement.Release(
                claim, Duration.ofSeconds(1), "claimed, but too late in its ..."));
  }

  @ParameterizedTest
  @EnumSource(names = {"BLOCKED_KEY", "ALONE", "LANE_DEADLINE", "STOPPED"})
  void aMessageThatIsNotSentForAReasonOfItsRelayComesBackAtOnce(Permit why) {
    Settlement settlement = rules.notSent(claim(1), why).settlement();

    assertThat(settlement).isInstanceOf(Settlement.Release.class);
    assertThat(settlement.delay()).isZero();
    assertThat(settlement.lastError()).isPresent();
  }

  @ParameterizedTest
  @EnumSource(names = {"SEND", "PROBE", "WAIT"})
  void aMessageThatIsSentOrWaitsIsNotSettled(Permit permit) {
    assertThatThrownBy(() -> rules.notSent(claim(1), permit))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void noMessageIsDeadWhileSendsOfACrashedNodeMayStillArrive() {
    Claim claim = claim(1);
    SettleRules afterCrash = rules(Duration.ofSeconds(5).toNanos());
    nanos.set(Duration.ofSeconds(2).toNanos());

    assertThat(afterCrash.after(claim, Rejected.forGood("too large")).settlement())
        .isEqualTo(new Settlement.Release(claim, Duration.ofSeconds(3), "too large"));

    nanos.set(Duration.ofSeconds(5).toNanos());
    assertThat(afterCrash.after(claim, Rejected.forGood("too large")).settlement())
        .isEqualTo(new Settlement.Dead(claim, "too large"));
  }

  @Test
  void errorTextsAreBoundedAndStorable() {
    Settlement dead = rules.after(claim(1), Rejected.forGood("\0" + "x".repeat(100))).settlement();

    assertThat(dead.lastError()).contains("?" + "x".repeat(28) + "...");
  }
}
