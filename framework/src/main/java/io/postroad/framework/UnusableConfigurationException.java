package io.postroad.framework;

import io.postroad.message.PostroadException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a start, because the configuration would break a promise of Postroad. The message has
 * both the problem and the action, because some frameworks show nothing else.
 */
public final class UnusableConfigurationException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String action;

  public UnusableConfigurationException(String problem, String action) {
    this(problem, action, null);
  }

  public UnusableConfigurationException(String problem, String action, @Nullable Throwable cause) {
    super(problem + " " + action, cause);
    this.problem = problem;
    this.action = action;
  }

  /** Returns the sentence that says what is wrong. */
  public String problem() {
    return problem;
  }

  /** Returns the sentence that says what to change. */
  public String action() {
    return action;
  }
}
