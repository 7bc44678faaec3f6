package io.postroad.postgres.internal.jdbc;

import io.postroad.postgres.PostgresOptions;
import io.postroad.postgres.internal.append.MessageColumns;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock without a way to it each time: what it said within the last second, and what
 * has passed since here. It is never ahead, and behind by the way of one answer at most. An answer
 * that took long is not kept, nor is one from before this machine stood still. Safe to use from
 * many threads.
 */
public final class NearClock {
  private static final long SAMPLE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONG_NANOS = Duration.ofMillis(100).toNanos();

  private final String text;
  private final boolean isKept;
  private volatile @Nullable Sample latest;

  /** Returns a time of the database that is not later than this moment. */
  private record Sample(Instant time, long nanos, long wallMillis) {

    Optional<Instant> now() {
      long passed = System.nanoTime() - nanos;
      long wall = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - wallMillis);
      return passed > SAMPLE_NANOS || Math.abs(wall - passed) > LONG_NANOS
          ? Optional.empty()
          : Optional.of(time.plusNanos(passed).truncatedTo(ChronoUnit.MICROS));
    }
  }

  private NearClock(String text, boolean isKept) {
    this.text = text;
    this.isKept = isKept;
  }

  /** Only the real clock goes on as ours does. */
  public static NearClock of(PostgresOptions options) {
    return new NearClock(
        "SELECT " + options.clock(), options.clock().equals(PostgresOptions.defaults().clock()));
  }

  /** Returns the time of the database, late by one round trip at most. */
  public Instant near(Connection transaction) {
    @Nullable Sample known = latest;
    return known == null ? ask(transaction) : known.now().orElseGet(() -> ask(transaction));
  }

  private Instant ask(Connection transaction) {
    long before = System.nanoTime();
    Instant time = now(transaction);
    long after = System.nanoTime();
    if (isKept && after - before < LONG_NANOS) {
      latest = new Sample(time, after, System.currentTimeMillis());
    }
    return time;
  }

  /** Returns the time of the database. */
  public Instant now(Connection transaction) {
    return new JoinedStatement("now", "read the database's clock", text, parameters -> {})
        .read(
            transaction,
            row -> {
              row.next();
              return MessageColumns.instant(row, 1);
            });
  }
}
