package io.postroad.process;

/** The state of a node of a process. A node that was not reached has none. */
public enum StepState {
  /** Its command was given to the bus; a handler may run it. */
  QUEUED,
  /** An attempt failed, and the command of the next one was given to the bus for later. */
  RETRYING,
  /** It was reached while the process was paused, and begins after a resume. */
  HELD,
  /** It waits for a time or a signal. */
  WAITING,
  /** It was done. */
  COMPLETED,
  /** It timed out after a handler may have begun it; it is undone like a completed step. */
  UNKNOWN,
  /** It failed, and its work was rolled back. */
  FAILED,
  /** It was recalled before a handler had begun it. */
  RECALLED,
  /** An operator skipped it. */
  SKIPPED,
  /** The command that undoes it was given to the bus. */
  UNDOING,
  /** It was undone. */
  UNDONE,
  /** It could not be undone. */
  UNDO_FAILED;

  /** Returns whether the node waits for a reply or a timer, other than that of an undo. */
  public boolean isOpen() {
    return this == QUEUED || this == RETRYING || this == HELD || this == WAITING;
  }

  /** Returns whether the node begins again when an operator reopens its process. */
  public boolean isGivenUp() {
    return this == FAILED || this == RECALLED || this == UNKNOWN;
  }

  /** Returns whether a command of the node is running, other than that of an undo. */
  public boolean isSent() {
    return this == QUEUED || this == RETRYING;
  }
}
