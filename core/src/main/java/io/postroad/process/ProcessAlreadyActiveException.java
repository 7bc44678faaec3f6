package io.postroad.process;

import io.postroad.message.PostroadException;
import java.util.UUID;

/** Thrown when an active process of this type has the business key; nothing was started. */
public final class ProcessAlreadyActiveException extends PostroadException {
  private static final long serialVersionUID = 1L;

  private final UUID processId;

  ProcessAlreadyActiveException(String type, String businessKey, UUID processId) {
    super(
        "process %s of type '%s' is active with business key '%s': wait for its end, or choose another %s"
            .formatted(processId, type, businessKey, StartPolicy.class.getSimpleName()));
    this.processId = processId;
  }

  /** Returns the active process. */
  public UUID processId() {
    return processId;
  }
}
