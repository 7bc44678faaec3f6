package io.postroad.command;

/**
 * Whether a failure that Postroad knows nothing about may be gone at the next attempt. Asked after
 * the types that Postroad knows: {@code RetryableFailure} and the database's transient failures are
 * tried again, {@code PermanentFailure} and {@code IllegalArgumentException} never.
 *
 * <p>MUST be safe to use from many threads.
 */
@FunctionalInterface
public interface RetryRule {

  /**
   * Whether to try again.
   *
   * @param error what the reply would say: {@code SimpleClassName: message}
   */
  boolean isRetryable(Throwable failure, String error);

  /** What is not known to be transient is a business failure. */
  static RetryRule never() {
    return (failure, error) -> false;
  }
}
