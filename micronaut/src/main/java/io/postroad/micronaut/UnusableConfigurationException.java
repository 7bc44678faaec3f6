package io.postroad.micronaut;

import io.postroad.message.PostroadException;
import org.jspecify.annotations.Nullable;

/** The application is set up so that Postroad could not keep its promises, or not work at all. */
public final class UnusableConfigurationException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final String action;

  public UnusableConfigurationException(String what, String action) {
    this(what, action, null);
  }

  /** Both are in the message, because that is all that Micronaut shows when a start fails. */
  public UnusableConfigurationException(String what, String action, @Nullable Throwable cause) {
    super(what + " " + action, cause);
    this.action = action;
  }

  /** What to do about it. */
  public String action() {
    return action;
  }
}
