package io.postroad.outbox;

import io.postroad.internal.loop.Check;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Computes the wait before the next attempt: exponential, capped, with jitter so that messages that
 * failed together do not come back together. Immutable; never overflows.
 *
 * @param first wait after the first failed attempt; 1 s
 * @param factor growth per further attempt; 2
 * @param max longest wait before jitter; 5 min
 * @param jitter share by which a wait is made longer or shorter at random, 0 to 1; 0.2
 */
public record Backoff(Duration first, double factor, Duration max, double jitter) {
  public Backoff {
    Check.positive(first, "Backoff.first");
    Check.notBelow(first, max, "Backoff.max", "Backoff.first");
    if (!(factor >= 1) || Double.isInfinite(factor)) {
      throw new IllegalArgumentException("expected Backoff.factor to be 1 or more, got " + factor);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("expected Backoff.jitter to be 0 to 1, got " + jitter);
    }
  }

  public static Backoff defaults() {
    return new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2);
  }

  public Backoff withFirst(Duration first) {
    return new Backoff(first, factor, max, jitter);
  }

  public Backoff withFactor(double factor) {
    return new Backoff(first, factor, max, jitter);
  }

  public Backoff withMax(Duration max) {
    return new Backoff(first, factor, max, jitter);
  }

  public Backoff withJitter(double jitter) {
    return new Backoff(first, factor, max, jitter);
  }

  /** Returns the wait after failed attempt number {@code attempt}, 1 for the first. */
  public Duration delayAfter(int attempt, RandomGenerator random) {
    double grown = first.toMillis() * Math.pow(factor, Math.max(0, attempt - 1));
    double capped = Math.min(grown, (double) max.toMillis());
    double spread = 1 + jitter * (2 * random.nextDouble() - 1);
    return Duration.ofMillis(Math.max(1, Math.round(capped * spread)));
  }
}
