package io.postroad.spi;

import io.postroad.message.PostroadException;
import java.util.UUID;

/**
 * Another transaction changed a row that this one wrote without a lock. Nothing of it is written;
 * the transaction can only be rolled back and run again, with a look first.
 */
public final class ChangedMeanwhileException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private ChangedMeanwhileException(String message) {
    super(message);
  }

  /**
   * Returns the error for a unit that could not be committed, when the part that failed is unknown.
   */
  public ChangedMeanwhileException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns the error for a process whose log has grown meanwhile. */
  public static ChangedMeanwhileException ofProcess(UUID process, long knownSeq) {
    return new ChangedMeanwhileException(
        "process %s is not at entry %d of its log any more; roll back, lock it and repeat"
            .formatted(process, knownSeq));
  }
}
