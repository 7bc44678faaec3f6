package io.postroad.example.rules.domain;

/** How long a change of amount holds. */
public enum AmountChangeType {
  /** On its date only; it comes before a permanent one. */
  ONE_TIME,
  /** From its date on, until the next. */
  PERMANENT
}
