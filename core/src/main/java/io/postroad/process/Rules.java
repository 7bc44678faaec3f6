package io.postroad.process;

import io.postroad.engine.ErrorText;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is tried again, how often and when: what the graph says, else what the configuration says. A
 * hook that throws or answers nonsense counts as not retryable. Safe to use from many threads.
 */
class Rules {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessManager.class);
  static final Duration LONGEST_DELAY = Duration.ofDays(1);

  private final ProcessConfiguration configuration;
  private final StepRetry undo;

  Rules(ProcessConfiguration configuration, StepRetry undo) {
    this.configuration = configuration;
    this.undo = undo;
  }

  /**
   * Whether to try again.
   *
   * @param retries how often it was tried again so far
   */
  boolean isRetried(Node.Step step, String error, int retries) {
    try {
      int most =
          step.retry()
              .map(StepRetry::maxRetries)
              .orElseGet(() -> configuration.getMaxRetries(step.id()));
      return retries < most && configuration.isRetryable(step.id(), error);
    } catch (RuntimeException | Error broken) {
      LOG.error(
          "process '{}': the rule for retries of step {} failed, so it is not tried again; error={}",
          configuration.getProcessType(),
          step.id(),
          ErrorText.of(broken));
      return false;
    }
  }

  /**
   * How long to wait before a retry.
   *
   * @param retries how often it was tried again so far
   */
  Duration delay(Node.Step step, int retries) {
    try {
      Duration delay =
          step.retry()
              .map(retry -> retry.delayBefore(retries))
              .orElseGet(() -> Duration.ofMillis(configuration.getRetryDelay(step.id(), retries)));
      return delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    } catch (RuntimeException | Error broken) {
      LOG.error(
          "process '{}': the delay before a retry of step {} is not known, so it waits {}; error={}",
          configuration.getProcessType(),
          step.id(),
          LONGEST_DELAY,
          ErrorText.of(broken));
      return LONGEST_DELAY;
    }
  }

  /** How often and when an undo is tried again; whatever went wrong. */
  StepRetry undo() {
    return undo;
  }
}
