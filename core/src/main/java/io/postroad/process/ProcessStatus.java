package io.postroad.process;

/**
 * The status of a process.
 *
 * <pre>
 * NEW -> RUNNING ----------------------------> SUCCEEDED
 *           |---------------------> FAILED                  nothing was done that can be undone
 *           |---> COMPENSATING ---> COMPENSATED             all is undone
 *                       |---------> FAILED                  an undo failed for good
 * </pre>
 *
 * <p>Only an operator can reopen a FAILED process: to RUNNING by a retry of the failed step, if no
 * step was undone yet; to COMPENSATING by a retry or skip of a failed undo.
 */
public enum ProcessStatus {
  /** About to be started; in the log only. */
  NEW,
  /** Steps are running or waiting. */
  RUNNING,
  /** All steps are done. */
  SUCCEEDED,
  /** It has failed or was cancelled, and its steps are being undone. */
  COMPENSATING,
  /** All completed steps were undone. */
  COMPENSATED,
  /** It has failed and ended. */
  FAILED;

  /** Returns whether the process has not ended. */
  public boolean isActive() {
    return this == NEW || this == RUNNING || this == COMPENSATING;
  }
}
