package io.postroad.outbox;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A destination from its first failure to its next answer. Guarded by the lock of {@link Gates};
 * times are readings of its ticker.
 */
final class Trouble {
  private enum State {
    /** Some messages failed, which may be their own fault. */
    COUNTING,
    /** Messages to it were set aside before this relay heard of it. */
    SUSPECTED,
    DOWN
  }

  private State state = State.COUNTING;
  private int failures;
  private @Nullable UUID lastRefused;
  private String error = "messages to it were set aside, and it has not answered since";
  private boolean othersAnswered;
  private boolean othersGoOn;
  private long shutAt;
  private long probedAt;

  /** One message or key comes back for a probe, and none more until that one may have been sent. */
  private long letBackAt;

  private Trouble() {}

  static Trouble begun() {
    return new Trouble();
  }

  /** As if it were down, and to be tried at once. */
  static Trouble suspected(long now, long probeEvery) {
    Trouble trouble = new Trouble();
    trouble.shut(State.SUSPECTED, now - probeEvery);
    trouble.othersGoOn = true;
    return trouble;
  }

  private void shut(State as, long at) {
    state = as;
    shutAt = at;
    probedAt = at;
    letBackAt = at;
  }

  /** One more; tries of one message that is refused count once. */
  void failed(UUID message, String newError, boolean refused) {
    error = newError;
    othersGoOn |= refused || othersAnswered;
    if (!refused || !message.equals(lastRefused)) {
      failures++;
    }
    lastRefused = refused ? message : null;
  }

  void othersAnswered() {
    othersAnswered = true;
  }

  /** Whether it has failed often enough to be down from now on. */
  boolean breaks(int breakAfter) {
    return state == State.COUNTING && breakAfter > 0 && failures >= breakAfter;
  }

  void isDownFrom(long now) {
    shut(State.DOWN, now);
  }

  boolean isShut() {
    return state != State.COUNTING;
  }

  /** Whether it was found to be down, and not only suspected. */
  boolean isDown() {
    return state == State.DOWN;
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

  long shutAt() {
    return shutAt;
  }

  boolean isProbeDue(long now, long probeEvery) {
    return now - probedAt >= probeEvery;
  }

  void probed(long now) {
    probedAt = now;
  }

  boolean mayLetOneBack(long now, long probeEvery) {
    return isProbeDue(now, probeEvery) && now - letBackAt >= probeEvery;
  }

  void letBack(long now) {
    letBackAt = now;
  }
}
