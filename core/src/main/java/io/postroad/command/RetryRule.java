package io.postroad.command;

/**
 * Decides whether a failure that Postroad does not know may be gone at the next attempt. Asked
 * after the types that Postroad knows: {@code RetryableFailure} and the database's transient
 * failures are tried again, {@code PermanentFailure} and {@code IllegalArgumentException} never.
 *
 * <p>MUST be safe to use from many threads.
 */
@FunctionalInterface
public interface RetryRule {

  /**
   * Tells whether to try again.
   *
   * @param error for the reply: {@code SimpleClassName: message}
   */
  boolean isRetryable(Throwable failure, String error);

  /** Returns the rule that unknown failures are business failures. */
  static RetryRule never() {
    return (failure, error) -> false;
  }
}
