package io.postroad.internal.inbox;

import io.postroad.inbox.PermanentFailure;
import io.postroad.inbox.RetryableFailure;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.JsonCodecException;
import io.postroad.outbox.sender.SendOutcome.Again;
import io.postroad.outbox.sender.SendOutcome.Rejected;

/**
 * Decides by an exception whether to try again. The first exception of the cause chain with a known
 * type decides. Unknown exceptions are retried.
 */
final class Failures {
  private Failures() {}

  static Again again(Throwable failure) {
    for (Throwable cause : ErrorText.causes(failure)) {
      if (cause instanceof RetryableFailure) {
        return Again.LATER;
      }
      if (cause instanceof PermanentFailure || cause instanceof JsonCodecException) {
        return Again.NEVER;
      }
    }
    return Again.LATER;
  }

  static Rejected rejected(Throwable failure) {
    return new Rejected(ErrorText.of(failure), again(failure));
  }
}
