package io.postroad.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadDelayTest {
  private final ReadDelay delay = new ReadDelay();

  @Test
  void theFirstReadDoesNotWait() {
    assertThat(delay.next()).isZero();
  }

  @Test
  void aMessageNowAndThenIsReadAtOnceAlsoWhenTwoComeTogether() {
    passes(20, 1, Duration.ofMillis(3));
    delay.passed(1, Duration.ofNanos(100_000));

    assertThat(delay.next()).isZero();
  }

  @Test
  void manyMessagesGatherForAsLongAsThirtyTake() {
    passes(100, 8, Duration.ofMillis(1));

    assertThat(delay.next()).isBetween(Duration.ofMillis(3), Duration.ofMillis(5));
  }

  @Test
  void theyNeverGatherForLongerThanTheLongest() {
    passes(100, 3, Duration.ofMillis(1));

    assertThat(delay.next()).isEqualTo(Duration.ofMillis(8));
  }

  @Test
  void aLongPauseEndsIt() {
    passes(100, 8, Duration.ofMillis(1));
    delay.passed(1, Duration.ofSeconds(1));

    assertThat(delay.next()).isZero();
  }

  private void passes(int count, int messages, Duration apart) {
    for (int i = 0; i < count; i++) {
      delay.passed(messages, apart);
    }
  }
}
