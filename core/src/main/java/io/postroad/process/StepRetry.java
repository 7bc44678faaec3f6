package io.postroad.process;

import java.time.Duration;

/**
 * How often and when a step is tried again that failed and may succeed later. Immutable.
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

  /** So many retries after these delays. */
  public static StepRetry of(int maxRetries, Duration firstDelay, Duration longestDelay) {
    return new StepRetry(maxRetries, firstDelay, longestDelay);
  }

  /** No retries. */
  public static StepRetry none() {
    return new StepRetry(0, Duration.ZERO, Duration.ZERO);
  }

  /**
   * For ever: for steps behind a point of no return, which must succeed some day. What is not
   * retryable still fails at once.
   */
  public static StepRetry forever(Duration firstDelay, Duration longestDelay) {
    return new StepRetry(Integer.MAX_VALUE, firstDelay, longestDelay);
  }

  /**
   * How long to wait before this retry.
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
