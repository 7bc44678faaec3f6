package io.postroad.example.rules.domain;

/** The status of an executed date. */
public enum ExecutionStatus {
  SUCCESS,
  /** Nothing was generated; the recovery tries it again. */
  FAILED
}
