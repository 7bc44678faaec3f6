package io.postroad.example.rules.domain;

/** The duration of an amount change. */
public enum AmountChangeType {
  /** Applies on its date only; precedes a permanent change. */
  ONE_TIME,
  /** Applies from its date until the next change. */
  PERMANENT
}
