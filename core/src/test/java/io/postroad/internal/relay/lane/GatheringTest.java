package io.postroad.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GatheringTest {
  private final Gathering gathering = new Gathering();

  @Test
  void nobodyWaitsAtFirst() {
    assertThat(gathering.pause()).isZero();
  }

  @Test
  void aMessageNowAndThenIsReadAtOnceAlsoWhenTwoComeTogether() {
    passes(20, 1, Duration.ofMillis(3));
    gathering.passed(1, Duration.ofNanos(100_000));

    assertThat(gathering.pause()).isZero();
  }

  @Test
  void manyMessagesGatherForAsLongAsThirtyTake() {
    passes(100, 8, Duration.ofMillis(1));

    assertThat(gathering.pause()).isBetween(Duration.ofMillis(3), Duration.ofMillis(5));
  }

  @Test
  void theyNeverGatherForLongerThanTheLongest() {
    passes(100, 3, Duration.ofMillis(1));

    assertThat(gathering.pause()).isEqualTo(Duration.ofMillis(8));
  }

  @Test
  void aLongPauseEndsIt() {
    passes(100, 8, Duration.ofMillis(1));
    gathering.passed(1, Duration.ofSeconds(1));

    assertThat(gathering.pause()).isZero();
  }

  private void passes(int count, int messages, Duration apart) {
    for (int i = 0; i < count; i++) {
      gathering.passed(messages, apart);
    }
  }
}
