package io.postroad.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.message.Message;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.store.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When a destination is down, when it is probed, when it is back. */
class CircuitBreakerTest {
  private static final int BREAK_AFTER = 3;
  private static final Duration PROBE_EVERY = Duration.ofSeconds(1);
  private static final SendOutcome ACCEPTED = new SendOutcome.Accepted(Map.of());
  private static final SendOutcome REFUSED = SendOutcome.Rejected.forNow("busy");
  private static final SendOutcome UNKNOWN = new SendOutcome.Unknown("no answer");

  private final List<OutboxSignal> signals = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final CircuitBreaker breaker = breaker(BREAK_AFTER);

  private CircuitBreaker breaker(int breakAfter) {
    RelayOptions options =
        RelayOptions.defaults()
            .withName("node-1")
            .withBreakAfter(breakAfter)
            .withProbeEvery(PROBE_EVERY);
    return new CircuitBreaker(options, new RelayEvents("node-1", signals::add), nanos::get);
  }

  private static Message to(String destination) {
    return Message.event("OrderPlaced").to(destination).json("{}").build();
  }

  private void hear(String destination, SendOutcome outcome, int times) {
    for (int i = 0; i < times; i++) {
      breaker.heard(to(destination), outcome);
    }
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void aDestinationIsDownAfterSoManyFailuresInARow() {
    hear("a", REFUSED, BREAK_AFTER - 1);
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.SEND);

    hear("a", UNKNOWN, 1);

    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.BLOCKED_DESTINATION);
    assertThat(breaker.ask(to("b"))).isEqualTo(Permit.SEND);
    assertThat(breaker.reason("a")).isEqualTo("destination 'a' is down: no answer");
    assertThat(signals)
        .containsExactly(new OutboxSignal.DestinationDown("node-1", "a", "no answer"));
  }

  @Test
  void anAnswerBetweenFailuresStartsTheCountAgain() {
    hear("a", REFUSED, BREAK_AFTER - 1);
    hear("a", ACCEPTED, 1);
    hear("a", REFUSED, BREAK_AFTER - 1);
    hear("a", SendOutcome.Rejected.forGood("too large"), 1);
    hear("a", REFUSED, BREAK_AFTER - 1);

    assertThat(breaker.allClosed()).isTrue();
  }

  @Test
  void oneMessageThatIsRefusedAgainAndAgainDoesNotOpenTheCircuit() {
    Message poison = to("a");
    for (int i = 0; i < 20; i++) {
      breaker.heard(poison, REFUSED);
    }

    assertThat(breaker.isDown("a")).isFalse();
  }

  @Test
  void anAnswerBringsItBack() {
    hear("a", UNKNOWN, BREAK_AFTER);
    pass(Duration.ofMinutes(3));

    hear("a", ACCEPTED, 1);

    assertThat(breaker.allClosed()).isTrue();
    assertThat(signals)
        .endsWith(new OutboxSignal.DestinationUp("node-1", "a", Duration.ofMinutes(3)));
  }

  /** It would cost some of its messages attempts each time. */
  @Test
  void aDestinationThatRefusesSomeIsTrustedAfterAnswersInARow() {
    hear("a", REFUSED, BREAK_AFTER);

    for (int i = 0; i < 5; i++) {
      hear("a", ACCEPTED, BREAK_AFTER - 1);
      assertThat(breaker.releaseLimit("a", 100)).as("some").isEqualTo(2 * BREAK_AFTER);
      hear("a", REFUSED, 1);
      assertThat(breaker.isDown("a")).isTrue();
    }
    assertThat(signals).as("reported once").hasSize(1);

    hear("a", ACCEPTED, BREAK_AFTER);
    assertThat(breaker.releaseLimit("a", 100)).isEqualTo(100);
    assertThat(signals).hasSize(2).last().isInstanceOf(OutboxSignal.DestinationUp.class);
  }

  @Test
  void aDestinationThatRefusesIsTrustedWhenNoMessageIsBlockedForItAnyMore() {
    hear("a", REFUSED, BREAK_AFTER);
    breaker.noneBlocked("a");
    assertThat(breaker.isDown("a")).as("it has not answered").isTrue();
    hear("a", ACCEPTED, 1);

    breaker.noneBlocked("a");

    assertThat(signals).last().isInstanceOf(OutboxSignal.DestinationUp.class);
  }

  @Test
  void aProbeThatFailedBecauseOfAnotherMessageIsFollowedByAnotherProbe() {
    hear("a", REFUSED, BREAK_AFTER);
    pass(PROBE_EVERY);
    Message probe = to("a");
    assertThat(breaker.ask(probe)).isEqualTo(Permit.PROBE);

    breaker.heardInSession(to("a"), UNKNOWN, false);
    assertThat(breaker.ask(to("a")))
        .as("that was not the probe")
        .isEqualTo(Permit.BLOCKED_DESTINATION);
    breaker.heardInSession(probe, UNKNOWN, false);

    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.PROBE);
  }

  @Test
  void aProbeThatHangsIsFollowedByAWaitAsLongIfABrokerAnswers() {
    hear("a", REFUSED, BREAK_AFTER);
    pass(PROBE_EVERY);
    Message probe = to("a");
    assertThat(breaker.ask(probe)).isEqualTo(Permit.PROBE);
    pass(Duration.ofSeconds(30));
    breaker.heard(probe, UNKNOWN);

    pass(Duration.ofSeconds(29));
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.BLOCKED_DESTINATION);
    pass(Duration.ofSeconds(1));
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.PROBE);
  }

  @Test
  void whileNoBrokerAnswersADestinationIsProbedAgainSoon() {
    hear("a", UNKNOWN, BREAK_AFTER);
    pass(PROBE_EVERY);
    Message probe = to("a");
    assertThat(breaker.ask(probe)).isEqualTo(Permit.PROBE);
    pass(Duration.ofSeconds(30));
    breaker.heard(probe, UNKNOWN);

    pass(PROBE_EVERY);

    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.PROBE);
  }

  @Test
  void onlyADestinationThatIsProbedIsKnownToBeDown() {
    hear("a", UNKNOWN, BREAK_AFTER);
    assertThat(breaker.isKnownBlocked("a")).isTrue();

    pass(PROBE_EVERY.multipliedBy(3));

    assertThat(breaker.isKnownBlocked("a")).isFalse();
    assertThat(breaker.isDown("a")).isTrue();
  }

  @Test
  void oneMessageAtATimeIsTheProbe() {
    hear("a", REFUSED, BREAK_AFTER);
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.BLOCKED_DESTINATION);

    pass(PROBE_EVERY);

    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.PROBE);
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.BLOCKED_DESTINATION);
    pass(PROBE_EVERY.minusNanos(1));
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.BLOCKED_DESTINATION);
    pass(Duration.ofNanos(1));
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.PROBE);
  }

  @Test
  void oneMessageAtATimeIsReleasedUntilTheDestinationIsBack() {
    hear("a", REFUSED, BREAK_AFTER);
    assertThat(breaker.releaseLimit("a", 100)).isZero();
    pass(PROBE_EVERY);

    assertThat(breaker.releaseLimit("a", 100)).isEqualTo(1);
    assertThat(breaker.releaseLimit("a", 100)).isZero();

    hear("a", ACCEPTED, BREAK_AFTER);
    assertThat(breaker.releaseLimit("a", 100)).isEqualTo(100);
  }

  @Test
  void failuresWhileADestinationIsDownAreReportedOnce() {
    hear("a", REFUSED, BREAK_AFTER * 100);

    assertThat(signals).hasSize(1);
  }

  @Test
  void aLimitOfZeroNeverOpensTheCircuit() {
    CircuitBreaker never = breaker(0);
    for (int i = 0; i < 100; i++) {
      never.heard(to("a"), REFUSED);
    }
    never.suspect("a");

    assertThat(never.allClosed()).isTrue();
  }

  /** While no destination answers, blocking messages would help no other message. */
  @Test
  void messagesAreBlockedOnlyWhileABrokerAnswers() {
    hear("a", UNKNOWN, BREAK_AFTER);
    hear("b", UNKNOWN, BREAK_AFTER);
    assertThat(breaker.shouldBlock("a")).isFalse();

    hear("b", ACCEPTED, 1);
    assertThat(breaker.shouldBlock("a")).as("it may be back as well").isFalse();

    hear("a", UNKNOWN, 1);
    assertThat(breaker.shouldBlock("a")).isTrue();
    assertThat(breaker.shouldBlock("b")).isFalse();
  }

  @Test
  void aDestinationThatRefusesHasABrokerThatAnswers() {
    hear("a", REFUSED, BREAK_AFTER);

    assertThat(breaker.shouldBlock("a")).isTrue();
  }

  @Test
  void aSuspectedDestinationIsProbedAtOnceAndNotReported() {
    breaker.suspect("a");

    assertThat(breaker.releaseLimit("a", 100)).isEqualTo(1);
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.PROBE);
    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.BLOCKED_DESTINATION);
    hear("a", ACCEPTED, 1);
    breaker.suspect("a");

    assertThat(breaker.releaseLimit("a", 100)).as("it has answered since").isEqualTo(100);
    assertThat(signals).isEmpty();
  }

  @Test
  void aSuspectedDestinationThatFailsIsDownAndReported() {
    breaker.suspect("a");

    hear("a", UNKNOWN, 1);

    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.BLOCKED_DESTINATION);
    assertThat(signals).hasSize(1).first().isInstanceOf(OutboxSignal.DestinationDown.class);
  }

  @Test
  void aPausedDestinationGetsNoMessage() {
    breaker.replacePauses(List.of(pause("a")));
    pass(Duration.ofDays(1));

    assertThat(breaker.ask(to("a"))).isEqualTo(Permit.BLOCKED_DESTINATION);
    assertThat(breaker.releaseLimit("a", 100)).isZero();
    assertThat(breaker.shouldBlock("a")).isTrue();
    assertThat(breaker.reason("a")).isEqualTo("destination 'a' is paused by on-call: maintenance");
    assertThat(breaker.ask(to("b"))).isEqualTo(Permit.SEND);

    breaker.replacePauses(List.of(pause("a")));
    breaker.replacePauses(List.of());

    assertThat(breaker.allClosed()).isTrue();
    assertThat(signals)
        .containsExactly(
            new OutboxSignal.DestinationPaused("node-1", "a", "on-call", "maintenance"),
            new OutboxSignal.DestinationResumed("node-1", "a"));
  }

  @Test
  void oneCallerPerSweepReadsThePauses() {
    assertThat(breaker.isPauseReadDue()).isTrue();
    assertThat(breaker.isPauseReadDue()).isFalse();
    pass(RelayOptions.defaults().sweepEvery());
    assertThat(breaker.isPauseReadDue()).isTrue();
  }

  private static Pause pause(String destination) {
    return new Pause(destination, Instant.EPOCH, "on-call", "maintenance");
  }
}
