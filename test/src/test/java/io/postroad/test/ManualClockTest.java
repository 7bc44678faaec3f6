package io.postroad.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00.123456789Z");

  @Test
  void standsStillInWholeMicroseconds() {
    ManualClock clock = ManualClock.startingAt(START);

    assertThat(clock.instant()).isEqualTo(START.truncatedTo(ChronoUnit.MICROS));
    assertThat(clock.instant()).isEqualTo(clock.instant());
  }

  @Test
  void goesForwardWhenItIsMoved() {
    ManualClock clock = ManualClock.startingAt(START.truncatedTo(ChronoUnit.SECONDS));

    assertThat(clock.advance(Duration.ofMinutes(5))).isEqualTo("2026-01-01T00:05:00Z");
    assertThat(clock.advanceTo(Instant.parse("2026-02-01T00:00:00Z")))
        .isEqualTo(clock.instant())
        .isEqualTo("2026-02-01T00:00:00Z");
  }

  @Test
  void neverGoesBack() {
    ManualClock clock = ManualClock.startingAt(Instant.parse("2026-01-01T00:00:00Z"));

    assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a ManualClock goes forward only: it shows 2026-01-01T00:00:00Z, got"
                + " 2025-12-31T23:59:59Z");
    assertThat(clock.instant()).isEqualTo("2026-01-01T00:00:00Z");
  }
}
