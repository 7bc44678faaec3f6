package io.postroad.internal.command;

import io.postroad.command.FailureCode;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.PostroadException;

/** Thrown when a command fails for good before or after its handler; the cause is reported. */
public final class CommandFailure extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final FailureCode code;

  public CommandFailure(FailureCode code, Throwable cause) {
    super("%s: %s".formatted(code, ErrorText.of(cause)), cause);
    this.code = code;
  }

  FailureCode code() {
    return code;
  }
}
