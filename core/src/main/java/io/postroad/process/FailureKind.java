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
  /** The process as a whole was not done in time. */
  DEADLINE,
  /** Somebody cancelled it. */
  CANCELLED,
  /** Somebody ended it where it stood; nothing was undone. */
  TERMINATED,
  /** What was done could not be undone; the failure before that is kept beside it. */
  COMPENSATION_FAILED
}
