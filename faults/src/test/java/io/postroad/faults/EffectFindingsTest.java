package io.postroad.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The judge is judged: each kind of broken promise must be seen. */
class EffectFindingsTest {
  private final UUID one = UUID.randomUUID();
  private final UUID two = UUID.randomUUID();

  @Test
  void everythingOnceAndInOrderIsOk() {
    EffectFindings findings =
        EffectFindings.of(Set.of(one, two), List.of(effect(two, 2, 1), effect(one, 1, 0)));

    assertThat(findings.onceInOrder()).isTrue();
    assertThat(findings).hasToString("sent=2 missing=0 phantoms=0 repeated=0 out-of-order=0");
  }

  @Test
  void aMessageWithoutEffectIsMissing() {
    EffectFindings findings = EffectFindings.of(Set.of(one, two), List.of(effect(one, 1, 0)));

    assertThat(findings.missing()).containsExactly(two);
    assertThat(findings.once()).isFalse();
  }

  @Test
  void anEffectOfWhatWasNotSentIsAPhantom() {
    EffectFindings findings =
        EffectFindings.of(Set.of(one), List.of(effect(one, 1, 0), effect(two, 2, 1)));

    assertThat(findings.phantoms()).containsExactly(two);
    assertThat(findings.once()).isFalse();
  }

  @Test
  void aSecondEffectIsARepeat() {
    EffectFindings findings =
        EffectFindings.of(Set.of(one), List.of(effect(one, 1, 0), effect(one, 1, 1)));

    assertThat(findings.repeated()).isEqualTo(1);
    assertThat(findings.once()).isFalse();
  }

  @Test
  void aMessageThatWasHandledBeforeAnEarlierOneIsOutOfOrder() {
    EffectFindings findings =
        EffectFindings.of(Set.of(one, two), List.of(effect(two, 2, 0), effect(one, 1, 1)));

    assertThat(findings.outOfOrder()).isEqualTo(2);
    assertThat(findings.once()).isTrue();
    assertThat(findings.onceInOrder()).isFalse();
  }

  private static Effect effect(UUID message, int number, int before) {
    return new Effect(message, "account", number, before);
  }
}
