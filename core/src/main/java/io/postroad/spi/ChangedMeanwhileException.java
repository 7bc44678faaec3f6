package io.postroad.spi;

import io.postroad.message.PostroadException;
import java.util.UUID;

/**
 * What was written without a lock is not what its writer knew any more. Nothing of it is written;
 * the transaction can only be rolled back and run again, with a look first.
 */
public final class ChangedMeanwhileException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private ChangedMeanwhileException(String message) {
    super(message);
  }

  /** What a store says of a unit that it could not commit as known, without knowing which part. */
  public ChangedMeanwhileException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What every store says of a process whose log does not end there any more. */
  public static ChangedMeanwhileException ofProcess(UUID process, long knownSeq) {
    return new ChangedMeanwhileException(
        "process %s is not at entry %d of its log any more; roll back, lock it and repeat"
            .formatted(process, knownSeq));
  }
}
