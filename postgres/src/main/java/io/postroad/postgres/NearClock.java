package io.postroad.postgres;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock without a way to it each time: what it said within the last second, and what
 * has passed since here. It is never ahead, and behind by the way of one answer at most. Safe to
 * use from many threads.
 */
final class NearClock {
  private static final long SAMPLE_NANOS = Duration.ofSeconds(1).toNanos();

  private final boolean isKept;
  private volatile @Nullable Sample latest;

  /** What the database's clock said no later than at this moment of ours. */
  private record Sample(Instant time, long nanos) {}

  private NearClock(boolean isKept) {
    this.isKept = isKept;
  }

  /** Only the real clock goes on as ours does. */
  static NearClock of(PostgresOptions options) {
    return new NearClock(options.clock().equals(PostgresOptions.defaults().clock()));
  }

  Instant now(Supplier<Instant> asked) {
    @Nullable Sample known = latest;
    if (!isKept || known == null || System.nanoTime() - known.nanos() > SAMPLE_NANOS) {
      Instant time = asked.get();
      known = new Sample(time, System.nanoTime());
      latest = known;
      return time;
    }
    return known.time().plusNanos(System.nanoTime() - known.nanos()).truncatedTo(ChronoUnit.MICROS);
  }
}
