package io.postroad.process;

/** Where a node of a process is. A node that has not been reached has none. */
public enum StepState {
  /** Its command was given to the bus; somebody may have it by now. */
  QUEUED,
  /** An attempt failed, and the command of the next one was given to the bus for later. */
  RETRYING,
  /** It was reached while the process was paused, and is begun when it goes on. */
  HELD,
  /** It waits for a time or a signal. */
  WAITING,
  /** It was done. */
  COMPLETED,
  /** It timed out after somebody may have begun it: it counts as done when it comes to undoing. */
  UNKNOWN,
  /** It failed, and what it did was rolled back. */
  FAILED,
  /** It was taken back before anybody had begun it. */
  RECALLED,
  /** An operator went on without it. */
  SKIPPED,
  /** The command that undoes it was given to the bus. */
  UNDOING,
  /** It was undone. */
  UNDONE,
  /** It could not be undone. */
  UNDO_FAILED;

  /** Whether a reply or a timer is waited for, other than that of an undo. */
  public boolean isOpen() {
    return this == QUEUED || this == RETRYING || this == HELD || this == WAITING;
  }

  /** Whether it can be tried again when an operator reopens its process. */
  public boolean isGivenUp() {
    return this == FAILED || this == RECALLED || this == UNKNOWN;
  }

  /** Whether a command of it is under way, other than that of an undo. */
  public boolean isSent() {
    return this == QUEUED || this == RETRYING;
  }
}
