package io.postroad.internal.relay;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A destination from its first failure until it is trusted again.
 *
 * <pre>
 * COUNTING --failures in a row--> DOWN <--failure-- RECOVERING --answers in a row--> (trusted)
 *                                   |                    ^
 * SUSPECTED --failure--> DOWN       |------- answer -----|
 *     |------------------------------------- answer -----|
 * </pre>
 *
 * <p>Guarded by the lock of {@link Gates}; times are readings of its ticker.
 */
final class Trouble {
  /** Probes that did not come, after which nobody can say that it is still down. */
  private static final int MISSED_PROBES = 3;

  private enum State {
    /** Some messages failed, which may be their own fault. */
    COUNTING,
    /** Messages to it were set aside before this relay heard of it. */
    SUSPECTED,
    DOWN,
    /** It has answered; one failure is enough to be down again. */
    RECOVERING
  }

  private final long probeEvery;
  private State state = State.COUNTING;
  private int failures;
  private int answers;
  private @Nullable UUID lastRefused;
  private @Nullable UUID probe;
  private boolean refuses;
  private String error = "messages to it were set aside, and it has not answered since";
  private boolean told;
  private long downSince;
  private boolean othersAnswered;
  private boolean othersGoOn;
  private long probedAt;
  private long rest;

  /** One message or key comes back for a probe, and none more until that one may have been sent. */
  private long letBackAt;

  private Trouble(long probeEvery) {
    this.probeEvery = probeEvery;
    this.rest = probeEvery;
  }

  static Trouble begun(long probeEvery) {
    return new Trouble(probeEvery);
  }

  /** As if it were down, and to be tried at once. */
  static Trouble suspected(long now, long probeEvery) {
    Trouble trouble = new Trouble(probeEvery);
    trouble.state = State.SUSPECTED;
    trouble.othersGoOn = true;
    trouble.downSince = now;
    trouble.probedAt = now - probeEvery;
    trouble.letBackAt = now - probeEvery;
    return trouble;
  }

  /** One more failure; tries of one message that is refused count once. */
  void failed(UUID message, String newError, boolean refused, int breakAfter, long now) {
    error = newError;
    othersGoOn |= refused || othersAnswered;
    if (!refused || !message.equals(lastRefused)) {
      failures++;
    }
    lastRefused = refused ? message : null;
    refuses |= refused;
    if (isShut() && message.equals(probe)) {
      // A probe that hangs keeps retries of others waiting, if there are others.
      rest = othersGoOn ? Math.max(probeEvery, now - probedAt) : probeEvery;
      probe = null;
    }
    if (state == State.COUNTING) {
      downSince = now;
    }
    if (state != State.COUNTING || (breakAfter > 0 && failures >= breakAfter)) {
      state = State.DOWN;
      answers = 0;
      probedAt = now;
      letBackAt = now;
    }
  }

  /**
   * One more answer; whether it is trusted again. One that takes some messages and refuses others
   * would cost them attempts each time, so it has to take some in a row.
   */
  boolean answered(int trustAfter) {
    if (state == State.COUNTING) {
      return true;
    }
    state = State.RECOVERING;
    rest = probeEvery;
    answers++;
    return !refuses || answers >= trustAfter;
  }

  void othersAnswered() {
    othersAnswered = true;
  }

  /** Whether nothing but probes goes there. */
  boolean isShut() {
    return state == State.DOWN || state == State.SUSPECTED;
  }

  boolean isRecovering() {
    return state == State.RECOVERING;
  }

  /** Whether it is down and nobody was told; they are from now on. */
  boolean tell() {
    boolean news = state == State.DOWN && !told;
    told |= news;
    return news;
  }

  boolean wasTold() {
    return told;
  }

  /** Whether there is a broker that answers: it refused, or failed while others were answered. */
  boolean othersGoOn() {
    return othersGoOn;
  }

  int failures() {
    return failures;
  }

  String error() {
    return error;
  }

  long downSince() {
    return downSince;
  }

  boolean isProbeDue(long now) {
    return now - probedAt >= rest;
  }

  /** Whether it is tried regularly, so that it can be told to be down. */
  boolean isTried(long now) {
    return now - probedAt < MISSED_PROBES * rest;
  }

  void probedBy(UUID message, long now) {
    probe = message;
    probedAt = now;
  }

  /** If this message was the probe, it has told nothing, and another may go. */
  void toldNothing(UUID message, long now) {
    if (isShut() && message.equals(probe)) {
      probedAt = now - rest;
      letBackAt = now - rest;
    }
  }

  boolean mayLetOneBack(long now) {
    return isProbeDue(now) && now - letBackAt >= rest;
  }

  void letBack(long now) {
    letBackAt = now;
  }

  /** There was none to let back. */
  void letNoneBack(long now) {
    letBackAt = now - rest;
  }
}
