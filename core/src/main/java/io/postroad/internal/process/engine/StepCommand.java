package io.postroad.internal.process.engine;

import io.postroad.internal.process.record.Sparse;
import java.util.Optional;
import java.util.UUID;

/**
 * A command that was sent for a step. Immutable.
 *
 * @param id of the command
 * @param end how it has ended, as far as the process knows; empty while it runs
 */
@Sparse
public record StepCommand(UUID id, Optional<End> end) {

  /** How a command has ended. */
  public enum End {
    /** It was done. */
    DONE,
    /** It was done while the step was being undone, so the undo may have come too early. */
    DONE_DURING_UNDO,
    /** It failed and had no effect. */
    FAILED,
    /** It timed out, and may have been done. */
    UNKNOWN,
    /** It was recalled, lost or timed out before a handler began it. */
    NOT_BEGUN
  }

  boolean isRunning() {
    return end.isEmpty();
  }

  boolean isDone() {
    return is(End.DONE) || is(End.DONE_DURING_UNDO);
  }

  /** Returns whether an undo has to expect an effect that it did not see. */
  boolean isUnknown() {
    return is(End.UNKNOWN) || is(End.DONE_DURING_UNDO);
  }

  boolean isFailed() {
    return is(End.FAILED);
  }

  private boolean is(End wanted) {
    return end.filter(wanted::equals).isPresent();
  }

  StepCommand ended(End how) {
    return new StepCommand(id, Optional.of(how));
  }

  /** Returns the command after an undo that covers every effect it may have had. */
  StepCommand settled() {
    return isUnknown() ? ended(isDone() ? End.DONE : End.NOT_BEGUN) : this;
  }
}
