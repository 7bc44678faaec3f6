package io.postroad.process;

/**
 * Where a process is.
 *
 * <pre>
 * NEW -> RUNNING ----------------------------> SUCCEEDED
 *           |---------------------> FAILED                  nothing was done that can be undone
 *           |---> COMPENSATING ---> COMPENSATED             all is undone
 *                       |---------> FAILED                  an undo failed for good
 * </pre>
 *
 * <p>Only an operator leads out of FAILED: to RUNNING, when the step that failed is tried again and
 * nothing was undone yet; to COMPENSATING, when an undo that failed is tried again or skipped.
 */
public enum ProcessStatus {
  /** About to be started; in the log only. */
  NEW,
  /** Something of it is under way. */
  RUNNING,
  /** All steps are done. */
  SUCCEEDED,
  /** It has failed or was cancelled, and what was done is undone. */
  COMPENSATING,
  /** All that was done is undone. */
  COMPENSATED,
  /** It has failed, and nothing is under way. */
  FAILED;

  /** Whether it has not ended. */
  public boolean isActive() {
    return this == NEW || this == RUNNING || this == COMPENSATING;
  }
}
