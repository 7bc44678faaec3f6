package io.postroad.faults;

/** Delay of the first batch of a relay. */
enum HoldUp {
  /** Nothing: it is sent. */
  NONE,
  /** It is held up until the relay is told to go on, and then sent. */
  THEN_SENT,
  /** It is held up, and then every message has another {@link LateOutcome} in turn. */
  THEN_MIXED
}
