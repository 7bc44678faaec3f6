package io.postroad.internal.relay;

import io.postroad.internal.relay.CircuitState.Input;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The circuit of one destination: its {@link CircuitState}, the counts that make its inputs, and
 * the times of its probes. Guarded by the lock of {@link CircuitBreaker}; times are readings of its
 * ticker.
 */
final class DestinationState {
  /** Probes that were not sent, after which the destination is not known to be down any more. */
  private static final int MISSED_PROBES = 3;

  private final long probeEvery;
  CircuitState circuit = CircuitState.CLOSED;
  int failures;
  private int answers;
  private @Nullable UUID lastRefused;
  private @Nullable UUID probe;
  private boolean refuses;
  String error = "messages to it are blocked, and it has not answered since";
  boolean reported;
  long downSince;
  private boolean othersAnswered;

  /** Whether a broker answers: it refused a message, or failed while it answered others. */
  boolean brokerAnswers;

  private long probedAt;
  private long probeInterval;

  /** When a blocked message or key was released for a probe; the next one waits for its send. */
  private long releasedAt;

  /** Makes a destination whose circuit is closed. */
  DestinationState(long probeEvery) {
    this.probeEvery = probeEvery;
    this.probeInterval = probeEvery;
  }

  /** Makes this new destination count as down, to be probed at once. */
  DestinationState suspectedAt(long now) {
    circuit = CircuitState.SUSPECTED;
    brokerAnswers = true;
    downSince = now;
    probedAt = now - probeEvery;
    releasedAt = now - probeEvery;
    return this;
  }

  /** Returns whether an answer would change nothing. */
  boolean isClean() {
    return circuit == CircuitState.CLOSED && failures == 0;
  }

  /**
   * Counts a failure. Refusals of one message in a row count once, so that a message can use up its
   * attempts without taking its destination down.
   */
  void failed(UUID message, String newError, boolean refused, int limit, long now) {
    error = newError;
    brokerAnswers |= refused || othersAnswered;
    if (!refused || !message.equals(lastRefused)) {
      failures++;
    }
    lastRefused = refused ? message : null;
    refuses |= refused;
    if (circuit.isOpen() && message.equals(probe)) {
      // A probe that hangs delays retries of other destinations, if those can be reached.
      probeInterval = brokerAnswers ? Math.max(probeEvery, now - probedAt) : probeEvery;
      probe = null;
    }
    if (circuit == CircuitState.CLOSED) {
      downSince = now;
    }
    circuit = circuit.after(limit > 0 && failures >= limit ? Input.LAST_FAILURE : Input.FAILURE);
    if (circuit == CircuitState.OPEN) {
      answers = 0;
      probedAt = now;
      releasedAt = now;
    }
  }

  /**
   * Counts an answer. A destination that refuses some messages has to accept several in a row: each
   * refusal costs a message an attempt.
   */
  void answered(int limit) {
    if (circuit != CircuitState.CLOSED) {
      answers++;
      probeInterval = probeEvery;
    }
    circuit = circuit.after(!refuses || answers >= limit ? Input.LAST_ANSWER : Input.ANSWER);
  }

  void noneBlocked() {
    circuit = circuit.after(Input.NONE_BLOCKED);
  }

  void othersAnswered() {
    othersAnswered = !isClean();
  }

  /** Returns whether the circuit is open and was not reported yet; from now on it is. */
  boolean report() {
    boolean isNew = circuit == CircuitState.OPEN && !reported;
    reported |= isNew;
    return isNew;
  }

  boolean isOpen() {
    return circuit.isOpen();
  }

  private boolean isProbeDue(long now) {
    return now - probedAt >= probeInterval;
  }

  /** Returns whether the destination is probed regularly, so that it is known to be down. */
  boolean isProbed(long now) {
    return now - probedAt < MISSED_PROBES * probeInterval;
  }

  /** Makes the message the probe if one is due; returns whether it is. */
  boolean probeWith(UUID message, long now) {
    boolean isDue = isProbeDue(now);
    if (isDue) {
      probe = message;
      probedAt = now;
    }
    return isDue;
  }

  /** Lets another message be the probe, if this one was: its outcome says nothing. */
  void probeSaidNothing(UUID message, long now) {
    if (circuit.isOpen() && message.equals(probe)) {
      probedAt = now - probeInterval;
      releasedAt = now - probeInterval;
    }
  }

  /** Releases one blocked message or key for a probe if one is due; returns whether it does. */
  boolean releaseOne(long now) {
    boolean isDue = isProbeDue(now) && now - releasedAt >= probeInterval;
    if (isDue) {
      releasedAt = now;
    }
    return isDue;
  }

  /** Lets another lane release a message: there was none to release. */
  void noneReleased(long now) {
    releasedAt = now - probeInterval;
  }
}
