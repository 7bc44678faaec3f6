package io.postroad.process;

import java.time.Duration;

/**
 * How often and when a failed step is retried. Immutable.
 *
 * @param maxRetries attempts after the first one; 0 for none
 * @param firstDelay before the first retry; doubled for each further one
 * @param longestDelay never more than this
 */
public record StepRetry(int maxRetries, Duration firstDelay, Duration longestDelay) {
  public StepRetry {
    if (maxRetries < 0) {
      throw new IllegalArgumentException("maxRetries must not be negative, got " + maxRetries);
    }
    if (firstDelay.isNegative() || longestDelay.compareTo(firstDelay) < 0) {
      throw new IllegalArgumentException(
          "delays must not be negative, and the longest not below the first, got %s and %s"
              .formatted(firstDelay, longestDelay));
    }
  }

  /** Returns a rule with this number of retries and these delays. */
  public static StepRetry of(int maxRetries, Duration firstDelay, Duration longestDelay) {
    return new StepRetry(maxRetries, firstDelay, longestDelay);
  }

  /** Returns a rule without retries. */
  public static StepRetry none() {
    return new StepRetry(0, Duration.ZERO, Duration.ZERO);
  }

  /**
   * Returns a rule that retries forever, for steps after a point of no return. An error that is not
   * retryable still fails at once.
   */
  public static StepRetry forever(Duration firstDelay, Duration longestDelay) {
    return new StepRetry(Integer.MAX_VALUE, firstDelay, longestDelay);
  }

  /**
   * Returns the delay before this retry.
   *
   * @param retry 0 for the first
   */
  public Duration delayBefore(int retry) {
    Duration delay = firstDelay;
    for (int i = 0; i < retry && delay.compareTo(longestDelay) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    return delay.compareTo(longestDelay) < 0 ? delay : longestDelay;
  }
}
