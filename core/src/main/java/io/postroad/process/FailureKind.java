package io.postroad.process;

/** Why a process is undone or has failed. */
public enum FailureKind {
  /** A step failed and is not tried again. */
  STEP_FAILED,
  /** A step was not done in time and is not tried again. */
  STEP_TIMED_OUT,
  /** A condition could not be answered. */
  CONDITION_FAILED,
  /** A signal did not come in time. */
  SIGNAL_TIMED_OUT,
  /** The whole process was not done in time. */
  DEADLINE,
  /** An operator cancelled it. */
  CANCELLED,
  /** An operator terminated it; no further step was undone. */
  TERMINATED,
  /** A step could not be undone; the failure text contains the first failure, too. */
  COMPENSATION_FAILED
}
