package io.postroad.internal.inbox;

import io.postroad.inbox.PermanentFailure;
import io.postroad.inbox.RetryableFailure;
import io.postroad.internal.loop.ErrorText;
import io.postroad.message.JsonCodecException;
import io.postroad.outbox.sender.SendOutcome.Again;
import io.postroad.outbox.sender.SendOutcome.Rejected;

/**
 * Whether trying again can help, by the type of what was thrown: the first of the chain of causes
 * that says so decides, and who says nothing is tried again.
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
