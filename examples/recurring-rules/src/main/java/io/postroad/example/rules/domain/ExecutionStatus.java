package io.postroad.example.rules.domain;

/** How a date of a rule ended. */
public enum ExecutionStatus {
  SUCCESS,
  /** Nothing was generated; recovery tries it again. */
  FAILED
}
