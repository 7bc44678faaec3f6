package io.postroad.postgres;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock without a way to it each time: what it said within the last second, and what
 * has passed since here. It is never ahead, and behind by the way of one answer at most. An answer
 * that took long is not kept, nor is one from before this machine stood still. Safe to use from
 * many threads.
 */
final class NearClock {
  private static final long SAMPLE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONG_NANOS = Duration.ofMillis(100).toNanos();

  private final boolean isKept;
  private volatile @Nullable Sample latest;

  /** What the database's clock said no later than at this moment of ours. */
  private record Sample(Instant time, long nanos, long wallMillis) {

    Optional<Instant> now() {
      long passed = System.nanoTime() - nanos;
      long wall = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - wallMillis);
      return passed > SAMPLE_NANOS || Math.abs(wall - passed) > LONG_NANOS
          ? Optional.empty()
          : Optional.of(time.plusNanos(passed).truncatedTo(ChronoUnit.MICROS));
    }
  }

  private NearClock(boolean isKept) {
    this.isKept = isKept;
  }

  /** Only the real clock goes on as ours does. */
  static NearClock of(PostgresOptions options) {
    return new NearClock(options.clock().equals(PostgresOptions.defaults().clock()));
  }

  Instant now(Supplier<Instant> asked) {
    @Nullable Sample known = latest;
    return known == null ? ask(asked) : known.now().orElseGet(() -> ask(asked));
  }

  private Instant ask(Supplier<Instant> asked) {
    long before = System.nanoTime();
    Instant time = asked.get();
    long after = System.nanoTime();
    if (isKept && after - before < LONG_NANOS) {
      latest = new Sample(time, after, System.currentTimeMillis());
    }
    return time;
  }
}
