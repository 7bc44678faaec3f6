package io.postroad.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void growsFromFirstToMax() {
    Backoff steady = Backoff.defaults().withJitter(0);

    assertThat(steady.delayAfter(1, random)).isEqualTo(Duration.ofSeconds(1));
    assertThat(steady.delayAfter(2, random)).isEqualTo(Duration.ofSeconds(2));
    assertThat(steady.delayAfter(4, random)).isEqualTo(Duration.ofSeconds(8));
    assertThat(steady.delayAfter(20, random)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void neverOverflows() {
    assertThat(Backoff.defaults().withJitter(0).delayAfter(Integer.MAX_VALUE, random))
        .isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void jitterStaysWithinItsShare() {
    for (int i = 0; i < 1000; i++) {
      assertThat(Backoff.defaults().delayAfter(1, random))
          .isBetween(Duration.ofMillis(800), Duration.ofMillis(1200));
    }
  }

  @Test
  void wrongValuesAreRefused() {
    Backoff backoff = Backoff.defaults();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> backoff.withFirst(Duration.ZERO))
        .withMessageContaining("Backoff.first to be a positive duration, got PT0S");
    assertThatIllegalArgumentException().isThrownBy(() -> backoff.withFactor(0.5));
    assertThatIllegalArgumentException().isThrownBy(() -> backoff.withFactor(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> backoff.withJitter(1.5));
    assertThatIllegalArgumentException().isThrownBy(() -> backoff.withMax(Duration.ofMillis(1)));
  }
}
