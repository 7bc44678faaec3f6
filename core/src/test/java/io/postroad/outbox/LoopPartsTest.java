package io.postroad.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Waiter;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The small parts that a relay's loop is made of. */
class LoopPartsTest {

  @Test
  void thePaceGrowsToItsLimitAndStartsAgain() {
    Pace pace = new Pace(Duration.ofMillis(20), Duration.ofMillis(50), new SplittableRandom(1));

    assertThat(pace.next()).isBetween(Duration.ofMillis(16), Duration.ofMillis(20));
    assertThat(pace.next()).isBetween(Duration.ofMillis(32), Duration.ofMillis(40));
    assertThat(pace.next()).isBetween(Duration.ofMillis(40), Duration.ofMillis(50));
    pace.reset();
    assertThat(pace.next()).isLessThanOrEqualTo(Duration.ofMillis(20));
  }

  @Test
  void aSignalBeforeTheWaitEndsIt() {
    Waiter waiter = new Waiter();
    waiter.signal();
    waiter.await(Duration.ofDays(1));
    waiter.await(Duration.ZERO);
  }

  @Test
  void anInterruptEndsTheWaitAndStays() {
    Thread.currentThread().interrupt();
    new Waiter().await(Duration.ofDays(1));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void errorTextsKeepSurrogatePairsWhole() {
    assertThat(ErrorText.bounded("x".repeat(12) + "😀" + "y".repeat(10), 16))
        .isEqualTo("x".repeat(12) + "...");
    assertThat(ErrorText.of(new IllegalStateException())).isEqualTo("IllegalStateException");
  }

  @Test
  void relayOptionsRefuseWhatCannotWork() {
    RelayOptions options = RelayOptions.defaults();
    assertThatIllegalArgumentException().isThrownBy(() -> options.withName(" "));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withBatch(0))
        .withMessageContaining("RelayOptions.batch to be 1 or more, got 0");
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMaxBatch(99));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMaxBatch(10_001));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withLeaseFor(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMaxAttempts(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withRetention(Duration.ofDays(-1)));
  }
}
