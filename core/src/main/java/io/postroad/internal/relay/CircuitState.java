package io.postroad.internal.relay;

/** The states of a destination's circuit, and the table of their transitions. */
enum CircuitState {
  /** Messages are sent; failures in a row are counted. */
  CLOSED,

  /**
   * Treated as {@link #OPEN} without a failure: this relay found messages that are blocked for the
   * destination before it sent one there.
   */
  SUSPECTED,

  /** Only probes are sent. */
  OPEN,

  /** The destination has answered; the next failure opens the circuit again. */
  HALF_OPEN;

  /** An event that may change the state. */
  enum Input {
    /** A send failed, and fewer failed in a row than the limit. */
    FAILURE,
    /** A send failed, and with it as many in a row as the limit. */
    LAST_FAILURE,
    /** The destination answered, and more answers in a row are needed to trust it. */
    ANSWER,
    /** The destination answered often enough to trust it. */
    LAST_ANSWER,
    /** No message is blocked for the destination any more. */
    NONE_BLOCKED
  }

  /** Returns the next state. Each row of the table is a state, each column an input. */
  CircuitState after(Input input) {
    return switch (this) {
      case CLOSED -> next(input, CLOSED, OPEN, CLOSED, CLOSED, CLOSED);
      case SUSPECTED -> next(input, OPEN, OPEN, HALF_OPEN, CLOSED, SUSPECTED);
      case OPEN -> next(input, OPEN, OPEN, HALF_OPEN, CLOSED, OPEN);
      case HALF_OPEN -> next(input, OPEN, OPEN, HALF_OPEN, CLOSED, CLOSED);
    };
  }

  private static CircuitState next(
      Input input,
      CircuitState failure,
      CircuitState lastFailure,
      CircuitState answer,
      CircuitState lastAnswer,
      CircuitState noneBlocked) {
    return switch (input) {
      case FAILURE -> failure;
      case LAST_FAILURE -> lastFailure;
      case ANSWER -> answer;
      case LAST_ANSWER -> lastAnswer;
      case NONE_BLOCKED -> noneBlocked;
    };
  }

  /** Returns whether only probes are sent. */
  boolean isOpen() {
    return this == OPEN || this == SUSPECTED;
  }
}
