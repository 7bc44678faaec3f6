package io.postroad.inbox;

import io.postroad.engine.ErrorText;
import io.postroad.message.JsonCodecException;
import io.postroad.outbox.SendOutcome.Again;
import io.postroad.outbox.SendOutcome.Rejected;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether trying again can help, by the type of what was thrown: the first of the chain of causes
 * that says so decides, and who says nothing is tried again.
 */
final class Failures {
  /** A chain longer than this is a circle, or nobody reads it. */
  private static final int DEEPEST = 20;

  private Failures() {}

  static Again again(Throwable failure) {
    for (Throwable cause : chain(failure)) {
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

  private static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    for (@Nullable Throwable cause = failure;
        cause != null && chain.size() < DEEPEST;
        cause = cause.getCause()) {
      chain.add(cause);
    }
    return chain;
  }
}
