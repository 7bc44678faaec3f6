package io.postroad.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.Backoff;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome.Accepted;
import io.postroad.outbox.sender.SendOutcome.Rejected;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.Claim;
import io.postroad.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every row of the table in {@link SettleRules}. */
class SettleRulesTest {
  private final RelayOptions options =
      RelayOptions.defaults()
          .withMaxAttempts(3)
          .withBackoff(Backoff.defaults().withJitter(0))
          .withMaxErrorLength(32);
  private final Gates gates =
      new Gates(options, new Announcer("node-1", ObserverGuard.of(signal -> {})), () -> 0);
  private final SettleRules rules = new SettleRules(options, gates, new SplittableRandom(1));

  private static Claim claim(int attempt) {
    Message message = Message.event("OrderPlaced").to("orders").json("{}").build();
    return new Claim(message, 5, attempt, Instant.EPOCH, Optional.of("node-1"));
  }

  private void destinationGoesDown() {
    for (int i = 0; i < options.breakAfter(); i++) {
      gates.heard(claim(1).message(), SendOutcome.Rejected.forNow("busy"));
    }
  }

  @Test
  void whatFailsWhileItsDestinationIsDownIsSetAside() {
    destinationGoesDown();
    Claim last = claim(3);

    assertThat(rules.after(last, SendOutcome.Rejected.forNow("busy")).settlement())
        .isEqualTo(new Settlement.Blocked(last, "destination 'orders' is down:..."));
    assertThat(rules.after(last, new Unknown("no answer")).settlement())
        .isInstanceOf(Settlement.Blocked.class);
    assertThat(rules.setAside(last).signal())
        .isInstanceOfSatisfying(
            OutboxSignal.SetAside.class,
            signal -> assertThat(signal.message().id()).isEqualTo(last.id()));
  }

  @Test
  void whatArrivesOrIsRefusedForGoodIsSettledAlthoughItsDestinationWasDown() {
    destinationGoesDown();

    assertThat(rules.after(claim(1), new Accepted(Map.of())).settlement())
        .isInstanceOf(Settlement.Delivered.class);
    assertThat(rules.after(claim(1), SendOutcome.Rejected.forGood("too large")).settlement())
        .isInstanceOf(Settlement.Dead.class);
  }

  @Test
  void acceptedIsDelivered() {
    Claim claim = claim(1);
    Verdict verdict = rules.after(claim, new Accepted(Map.of("offset", "7")));

    assertThat(verdict.settlement()).isEqualTo(new Settlement.Delivered(claim));
    assertThat(verdict.signal())
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
    Verdict verdict = rules.after(claim, Rejected.forNow("busy"));

    assertThat(verdict.settlement()).isEqualTo(new Settlement.Dead(claim, "busy"));
    assertThat(verdict.signal()).isInstanceOf(OutboxSignal.Died.class);
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
    assertThat(rules.isExhausted(claim(3))).isFalse();
    assertThat(rules.isExhausted(claim(4))).isTrue();
    assertThat(rules.exhausted(claim(4)).settlement()).isInstanceOf(Settlement.Dead.class);
  }

  @Test
  void whatWasNotSentIsReleasedAndComesBackLater() {
    Claim claim = claim(1);

    assertThat(rules.notSent(claim, "too late").settlement())
        .isEqualTo(new Settlement.Release(claim, Duration.ofSeconds(1), "too late"));
  }

  @Test
  void errorTextsAreBoundedAndStorable() {
    Settlement dead = rules.after(claim(1), Rejected.forGood("\0" + "x".repeat(100))).settlement();

    assertThat(dead.lastError()).contains("?" + "x".repeat(28) + "...");
  }
}
