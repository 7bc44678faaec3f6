package io.postroad.process.dsl;

import io.postroad.command.DomainCommand;
import io.postroad.process.ProcessConfiguration;
import io.postroad.process.StepRetry;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What can be said of the step just named. Each at most once.
 *
 * @param <S> the step itself
 */
public interface StepSettings<S> {

  /** The command that undoes the step when the process fails later; it may be sent again. */
  S withCompensation(Class<? extends DomainCommand> command);

  /**
   * {@link #withCompensation(Class)} with a timeout: so long after it was begun an attempt to undo
   * the step has timed out, waiting in the queue included, and is tried again. Without it an undo
   * has no timeout; that of the step does not count for it.
   */
  S withCompensation(Class<? extends DomainCommand> command, Duration timeout);

  /** So long after it was begun an attempt has timed out; its undo has a timeout of its own. */
  S withTimeout(Duration timeout);

  /** What is tried again, in place of the rules of the {@link ProcessConfiguration}. */
  S withRetry(StepRetry retry);

  /**
   * What is tried again, in place of the rules of the {@link ProcessConfiguration}.
   *
   * @param maxRetries attempts after the first one
   * @param firstDelay before the first retry, doubled for each further one
   * @param longestDelay never more than this
   */
  S withRetry(int maxRetries, Duration firstDelay, Duration longestDelay);

  /**
   * Makes the command's input out of the data: for other names, or values that are derived. Without
   * it each component is bound by its name.
   *
   * @param input depends on the data alone
   */
  S withInput(UnaryOperator<Map<String, Object>> input);

  /** When the step is completed, nothing before it is undone any more: from here only forward. */
  S pointOfNoReturn();
}
