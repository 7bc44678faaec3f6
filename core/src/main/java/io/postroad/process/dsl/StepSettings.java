package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.StepRetry;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The settings of the last step. Each at most once.
 *
 * @param <S> the step itself
 */
public interface StepSettings<S> {

  /** Sets the command that undoes the step when the process fails later; it may be sent twice. */
  S withCompensation(Class<? extends DomainCommand> command);

  /**
   * Sets the command that undoes the step, with a timeout. An attempt times out this long after it
   * was begun, waiting in the queue included, and is retried. The timeout of the step does not hold
   * for its undo.
   */
  S withCompensation(Class<? extends DomainCommand> command, Duration timeout);

  /** Sets the timeout of each attempt; the undo has a timeout of its own. */
  S withTimeout(Duration timeout);

  /** Sets the rule for retries, instead of those of the {@link ProcessConfiguration}. */
  S withRetry(StepRetry retry);

  /**
   * Sets the rule for retries, instead of those of the {@link ProcessConfiguration}.
   *
   * @param maxRetries attempts after the first one
   * @param firstDelay before the first retry, doubled for each further one
   * @param longestDelay never more than this
   */
  S withRetry(int maxRetries, Duration firstDelay, Duration longestDelay);

  /**
   * Derives the input of the command from the data, for other names or computed values. Without it,
   * each field is bound by its name.
   *
   * @param input depends on the data alone
   */
  S withInput(UnaryOperator<Map<String, Object>> input);

  /** Makes the step a point of no return: after its completion no step is undone. */
  S pointOfNoReturn();
}
