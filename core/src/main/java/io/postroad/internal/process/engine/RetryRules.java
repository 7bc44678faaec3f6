package io.postroad.internal.process.engine;

import io.postroad.internal.loop.ErrorText;
import io.postroad.process.Node;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.ProcessManager;
import io.postroad.process.StepRetry;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how often and when a step is retried: by its own rule, else by the configuration. A step
 * is not retried if the configuration throws. Safe to use from many threads.
 */
public class RetryRules {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessManager.class);
  static final Duration LONGEST_DELAY = Duration.ofDays(1);

  private final ProcessConfiguration configuration;
  private final StepRetry undo;

  public RetryRules(ProcessConfiguration configuration, StepRetry undo) {
    this.configuration = configuration;
    this.undo = undo;
  }

  /**
   * Returns the delay before a retry of the step; empty for no retry.
   *
   * @param retries the number of retries so far
   */
  public Optional<Duration> retryAfter(Node.Step step, String error, int retries) {
    try {
      int most =
          step.retry()
              .map(StepRetry::maxRetries)
              .orElseGet(() -> configuration.getMaxRetries(step.id()));
      return retries < most && configuration.isRetryable(step.id(), error)
          ? Optional.of(delay(step, retries))
          : Optional.empty();
    } catch (RuntimeException | Error broken) {
      LOG.error(
          "process '{}': the rule for retries of step {} failed, so it is not tried again; error={}",
          configuration.getProcessType(),
          step.id(),
          ErrorText.of(broken));
      return Optional.empty();
    }
  }

  private Duration delay(Node.Step step, int retries) {
    Duration delay =
        step.retry()
            .map(retry -> retry.delayBefore(retries))
            .orElseGet(() -> Duration.ofMillis(configuration.getRetryDelay(step.id(), retries)));
    if (delay.isNegative()) {
      LOG.warn(
          "process '{}': the delay before retry {} of step {} is {} ms, so it is tried at once; return 0 or more from getRetryDelay",
          configuration.getProcessType(),
          retries + 1,
          step.id(),
          delay.toMillis());
      return Duration.ZERO;
    }
    return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
  }

  /** Returns how often and when an undo is retried, for any error. */
  StepRetry undo() {
    return undo;
  }
}
