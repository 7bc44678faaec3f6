package io.postroad.command;

import io.postroad.engine.ErrorText;
import io.postroad.message.PostroadException;

/** A command failed for good around its handler, not in it; the cause is what people are told. */
final class CommandFailure extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final FailureCode code;

  CommandFailure(FailureCode code, Throwable cause) {
    super("%s: %s".formatted(code, ErrorText.of(cause)), cause);
    this.code = code;
  }

  FailureCode code() {
    return code;
  }
}
