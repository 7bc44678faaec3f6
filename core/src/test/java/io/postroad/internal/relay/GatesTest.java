package io.postroad.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postroad.internal.relay.Gates.Permit;
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

/** When a destination is down, when it is tried, when it is back. */
class GatesTest {
  private static final int BREAK_AFTER = 3;
  private static final Duration PROBE_EVERY = Duration.ofSeconds(1);
  private static final SendOutcome ACCEPTED = new SendOutcome.Accepted(Map.of());
  private static final SendOutcome REFUSED = SendOutcome.Rejected.forNow("busy");
  private static final SendOutcome UNKNOWN = new SendOutcome.Unknown("no answer");

  private final List<OutboxSignal> signals = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final Gates gates = gates(BREAK_AFTER);

  private Gates gates(int breakAfter) {
    RelayOptions options =
        RelayOptions.defaults()
            .withName("node-1")
            .withBreakAfter(breakAfter)
            .withProbeEvery(PROBE_EVERY);
    return new Gates(options, new Announcer("node-1", ObserverGuard.of(signals::add)), nanos::get);
  }

  private static Message to(String destination) {
    return Message.event("OrderPlaced").to(destination).json("{}").build();
  }

  private void hear(String destination, SendOutcome outcome, int times) {
    for (int i = 0; i < times; i++) {
      gates.heard(to(destination), outcome);
    }
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void aDestinationIsDownAfterSoManyFailuresInARow() {
    hear("a", REFUSED, BREAK_AFTER - 1);
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.FREE);

    hear("a", UNKNOWN, 1);

    assertThat(gates.ask(to("a"))).isEqualTo(Permit.SHUT);
    assertThat(gates.ask(to("b"))).isEqualTo(Permit.FREE);
    assertThat(gates.reason("a")).isEqualTo("destination 'a' is down: no answer");
    assertThat(signals)
        .containsExactly(new OutboxSignal.DestinationDown("node-1", "a", "no answer"));
  }

  @Test
  void anAnswerBetweenThemBreaksTheRow() {
    hear("a", REFUSED, BREAK_AFTER - 1);
    hear("a", ACCEPTED, 1);
    hear("a", REFUSED, BREAK_AFTER - 1);
    hear("a", SendOutcome.Rejected.forGood("too large"), 1);
    hear("a", REFUSED, BREAK_AFTER - 1);

    assertThat(gates.allOpen()).isTrue();
  }

  @Test
  void oneMessageThatIsRefusedAgainAndAgainTakesNoDestinationAlong() {
    Message poison = to("a");
    for (int i = 0; i < 20; i++) {
      gates.heard(poison, REFUSED);
    }

    assertThat(gates.isDown("a")).isFalse();
  }

  @Test
  void anAnswerBringsItBack() {
    hear("a", UNKNOWN, BREAK_AFTER);
    pass(Duration.ofMinutes(3));

    hear("a", ACCEPTED, 1);

    assertThat(gates.allOpen()).isTrue();
    assertThat(signals)
        .endsWith(new OutboxSignal.DestinationUp("node-1", "a", Duration.ofMinutes(3)));
  }

  /** It would cost some of its messages attempts each time. */
  @Test
  void oneThatRefusesSomeIsTrustedAfterAnswersInARow() {
    hear("a", REFUSED, BREAK_AFTER);

    for (int i = 0; i < 5; i++) {
      hear("a", ACCEPTED, BREAK_AFTER - 1);
      assertThat(gates.toOpen("a", 100)).as("some").isEqualTo(2 * BREAK_AFTER);
      hear("a", REFUSED, 1);
      assertThat(gates.isDown("a")).isTrue();
    }
    assertThat(signals).as("told once").hasSize(1);

    hear("a", ACCEPTED, BREAK_AFTER);
    assertThat(gates.toOpen("a", 100)).isEqualTo(100);
    assertThat(signals).hasSize(2).last().isInstanceOf(OutboxSignal.DestinationUp.class);
  }

  @Test
  void oneThatRefusesIsTrustedWhenNothingWaitsForItAnyMore() {
    hear("a", REFUSED, BREAK_AFTER);
    gates.letAllBack("a");
    assertThat(gates.isDown("a")).as("it has not answered").isTrue();
    hear("a", ACCEPTED, 1);

    gates.letAllBack("a");

    assertThat(signals).last().isInstanceOf(OutboxSignal.DestinationUp.class);
  }

  @Test
  void aProbeThatFailedBecauseOfAnotherIsGivenAwayAgain() {
    hear("a", REFUSED, BREAK_AFTER);
    pass(PROBE_EVERY);
    Message probe = to("a");
    assertThat(gates.ask(probe)).isEqualTo(Permit.PROBE);

    gates.heardInPipe(to("a"), UNKNOWN, false);
    assertThat(gates.ask(to("a"))).as("that was not the probe").isEqualTo(Permit.SHUT);
    gates.heardInPipe(probe, UNKNOWN, false);

    assertThat(gates.ask(to("a"))).isEqualTo(Permit.PROBE);
  }

  @Test
  void aProbeThatHangsIsFollowedByARestAsLongIfThereAreOthers() {
    hear("a", REFUSED, BREAK_AFTER);
    pass(PROBE_EVERY);
    Message probe = to("a");
    assertThat(gates.ask(probe)).isEqualTo(Permit.PROBE);
    pass(Duration.ofSeconds(30));
    gates.heard(probe, UNKNOWN);

    pass(Duration.ofSeconds(29));
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.SHUT);
    pass(Duration.ofSeconds(1));
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.PROBE);
  }

  @Test
  void whileNobodyAnswersItIsTriedAgainSoon() {
    hear("a", UNKNOWN, BREAK_AFTER);
    pass(PROBE_EVERY);
    Message probe = to("a");
    assertThat(gates.ask(probe)).isEqualTo(Permit.PROBE);
    pass(Duration.ofSeconds(30));
    gates.heard(probe, UNKNOWN);

    pass(PROBE_EVERY);

    assertThat(gates.ask(to("a"))).isEqualTo(Permit.PROBE);
  }

  @Test
  void onlyOneThatIsTriedIsKnownToBeDown() {
    hear("a", UNKNOWN, BREAK_AFTER);
    assertThat(gates.isKnownShut("a")).isTrue();

    pass(PROBE_EVERY.multipliedBy(3));

    assertThat(gates.isKnownShut("a")).isFalse();
    assertThat(gates.isDown("a")).isTrue();
  }

  @Test
  void oneProbeIsGivenAwayAtATime() {
    hear("a", REFUSED, BREAK_AFTER);
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.SHUT);

    pass(PROBE_EVERY);

    assertThat(gates.ask(to("a"))).isEqualTo(Permit.PROBE);
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.SHUT);
    pass(PROBE_EVERY.minusNanos(1));
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.SHUT);
    pass(Duration.ofNanos(1));
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.PROBE);
  }

  @Test
  void oneIsOpenedAtATimeUntilItIsBack() {
    hear("a", REFUSED, BREAK_AFTER);
    assertThat(gates.toOpen("a", 100)).isZero();
    pass(PROBE_EVERY);

    assertThat(gates.toOpen("a", 100)).isEqualTo(1);
    assertThat(gates.toOpen("a", 100)).isZero();

    hear("a", ACCEPTED, BREAK_AFTER);
    assertThat(gates.toOpen("a", 100)).isEqualTo(100);
  }

  @Test
  void failuresWhileItIsDownAreToldOnce() {
    hear("a", REFUSED, BREAK_AFTER * 100);

    assertThat(signals).hasSize(1);
  }

  @Test
  void zeroNeverBreaks() {
    Gates never = gates(0);
    for (int i = 0; i < 100; i++) {
      never.heard(to("a"), REFUSED);
    }
    never.suspect("a");

    assertThat(never.allOpen()).isTrue();
  }

  /** Nobody answers at all: stepping aside would help nobody. */
  @Test
  void messagesStepAsideOnlyWhileSomebodyAnswers() {
    hear("a", UNKNOWN, BREAK_AFTER);
    hear("b", UNKNOWN, BREAK_AFTER);
    assertThat(gates.shouldStepAside("a")).isFalse();

    hear("b", ACCEPTED, 1);
    assertThat(gates.shouldStepAside("a")).as("it may be back as well").isFalse();

    hear("a", UNKNOWN, 1);
    assertThat(gates.shouldStepAside("a")).isTrue();
    assertThat(gates.shouldStepAside("b")).isFalse();
  }

  @Test
  void aDestinationThatRefusesIsThereAndIsSteppedAsideFor() {
    hear("a", REFUSED, BREAK_AFTER);

    assertThat(gates.shouldStepAside("a")).isTrue();
  }

  @Test
  void aSuspectIsTriedAtOnceAndNotToldOf() {
    gates.suspect("a");

    assertThat(gates.toOpen("a", 100)).isEqualTo(1);
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.PROBE);
    assertThat(gates.ask(to("a"))).isEqualTo(Permit.SHUT);
    hear("a", ACCEPTED, 1);
    gates.suspect("a");

    assertThat(gates.toOpen("a", 100)).as("it has answered since").isEqualTo(100);
    assertThat(signals).isEmpty();
  }

  @Test
  void aSuspectThatFailsIsDownAndTold() {
    gates.suspect("a");

    hear("a", UNKNOWN, 1);

    assertThat(gates.ask(to("a"))).isEqualTo(Permit.SHUT);
    assertThat(signals).hasSize(1).first().isInstanceOf(OutboxSignal.DestinationDown.class);
  }

  @Test
  void aPausedDestinationGetsNothing() {
    gates.see(List.of(pause("a")));
    pass(Duration.ofDays(1));

    assertThat(gates.ask(to("a"))).isEqualTo(Permit.SHUT);
    assertThat(gates.toOpen("a", 100)).isZero();
    assertThat(gates.shouldStepAside("a")).isTrue();
    assertThat(gates.reason("a")).isEqualTo("destination 'a' is paused by on-call: maintenance");
    assertThat(gates.ask(to("b"))).isEqualTo(Permit.FREE);

    gates.see(List.of(pause("a")));
    gates.see(List.of());

    assertThat(gates.allOpen()).isTrue();
    assertThat(signals)
        .containsExactly(
            new OutboxSignal.DestinationPaused("node-1", "a", "on-call", "maintenance"),
            new OutboxSignal.DestinationResumed("node-1", "a"));
  }

  @Test
  void oneOfThoseWhoAskLooksAtTheDatabase() {
    assertThat(gates.isTimeToLook()).isTrue();
    assertThat(gates.isTimeToLook()).isFalse();
    pass(RelayOptions.defaults().sweepEvery());
    assertThat(gates.isTimeToLook()).isTrue();
  }

  private static Pause pause(String destination) {
    return new Pause(destination, Instant.EPOCH, "on-call", "maintenance");
  }
}
