package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Ticker;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Again;
import io.postroad.outbox.sender.SendOutcome.Unknown;
import io.postroad.store.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which destinations this relay may send to: each has a circuit ({@link CircuitState}), and
 * operators pause destinations for every relay.
 *
 * <p>A failure is an outcome that another attempt may mend. While a circuit is open, no attempt is
 * counted, and single messages probe the destination. A paused destination gets no message at all.
 *
 * <p>Circuits are kept in memory, for destinations that have failed only. A relay that starts
 * probes those first that have blocked messages in the store. Safe to use from many threads.
 */
public final class CircuitBreaker {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

  private final RelayOptions options;
  private final RelayEvents events;
  private final Ticker ticker;
  private final Map<String, DestinationState> destinations = new HashMap<>();

  /** The state of destinations of which this relay has heard nothing. */
  private final DestinationState untried;

  private Map<String, Pause> paused = Map.of();
  private boolean pausesRead;
  private long pausesReadAt;
  private volatile boolean allClean = true;
  private volatile boolean allClosed = true;

  CircuitBreaker(RelayOptions options, RelayEvents events, Ticker ticker) {
    this.options = options;
    this.events = events;
    this.ticker = ticker;
    this.untried = closed();
  }

  private DestinationState closed() {
    return new DestinationState(options.probeEvery().toNanos());
  }

  private DestinationState state(String destination) {
    return destinations.getOrDefault(destination, untried);
  }

  /** Returns whether no destination is down or paused, without taking a lock. */
  public boolean allClosed() {
    return allClosed;
  }

  /**
   * Returns {@link Permit#SEND}, {@link Permit#PROBE} or {@link Permit#BLOCKED_DESTINATION}. A
   * caller that gets PROBE has to send the message: no other one gets it for a while.
   */
  public Permit ask(Message message) {
    return allClosed ? Permit.SEND : askLocked(message);
  }

  private synchronized Permit askLocked(Message message) {
    DestinationState state = state(message.destination());
    if (paused.containsKey(message.destination())) {
      return Permit.BLOCKED_DESTINATION;
    }
    if (!state.isOpen()) {
      return Permit.SEND;
    }
    boolean isProbe = state.probeWith(message.id(), ticker.nanos());
    return isProbe ? Permit.PROBE : Permit.BLOCKED_DESTINATION;
  }

  /** Returns whether the destination is paused or down. */
  boolean isBlocked(String destination) {
    return !allClosed && (isPaused(destination) || isDown(destination));
  }

  private synchronized boolean isPaused(String destination) {
    return paused.containsKey(destination);
  }

  /** Returns whether the circuit of the destination is open. */
  public synchronized boolean isDown(String destination) {
    return state(destination).isOpen();
  }

  /**
   * Returns whether messages to the destination should make way for others: it is paused, or it is
   * down while a broker answers.
   */
  public synchronized boolean shouldBlock(String destination) {
    DestinationState state = state(destination);
    return paused.containsKey(destination) || (state.isOpen() && state.brokerAnswers);
  }

  /** Returns whether the destination is paused, or is probed regularly without an answer. */
  public synchronized boolean isKnownBlocked(String destination) {
    DestinationState state = state(destination);
    return paused.containsKey(destination) || (state.isOpen() && state.isProbed(ticker.nanos()));
  }

  /** Returns the reason why messages to the destination are blocked. */
  synchronized String reason(String destination) {
    Pause pause = paused.get(destination);
    return pause != null
        ? "destination '%s' is paused by %s: %s".formatted(destination, pause.by(), pause.reason())
        : "destination '%s' is down: %s".formatted(destination, state(destination).error);
  }

  /**
   * Returns how many blocked messages or keys of the destination may be released now: all, some if
   * it has just answered, one to probe it, or none.
   */
  public synchronized int releaseLimit(String destination, int all) {
    if (paused.containsKey(destination)) {
      return 0;
    }
    DestinationState state = state(destination);
    if (!state.isOpen()) {
      boolean hasJustAnswered = state.circuit == CircuitState.HALF_OPEN;
      return hasJustAnswered ? Math.min(all, 2 * options.breakAfter()) : all;
    }
    return state.releaseOne(ticker.nanos()) ? 1 : 0;
  }

  /** Records that there was no message to release as a probe; another lane may have one. */
  public synchronized void noneReleased(String destination) {
    state(destination).noneReleased(ticker.nanos());
  }

  /** Records that no message is blocked for the destination any more. */
  public void noneBlocked(String destination) {
    signal(noneBlockedLocked(destination));
  }

  private synchronized @Nullable OutboxSignal noneBlockedLocked(String destination) {
    DestinationState state = state(destination);
    if (state.circuit == CircuitState.CLOSED) {
      return null;
    }
    state.noneBlocked();
    return closedAgain(destination, state);
  }

  /**
   * Records the outcome of a message of a session. An unknown outcome counts as a failure of the
   * destination only for the message that failed first in the session.
   */
  public void heardInSession(Message message, SendOutcome outcome, boolean failedFirst) {
    if (failedFirst || !(outcome instanceof Unknown)) {
      heard(message, outcome);
    } else {
      saidNothing(message);
    }
  }

  /** Records the outcome of a message. */
  public void heard(Message message, SendOutcome outcome) {
    if (outcome instanceof Unknown unknown && unknown.onlyItsKey()) {
      saidNothing(message);
      return;
    }
    boolean answer =
        outcome.fold(
            accepted -> true, rejected -> rejected.again() == Again.NEVER, unknown -> false);
    if (!answer) {
      signal(failed(message, outcome));
    } else if (!allClean) {
      signal(answered(message.destination()));
    }
  }

  private synchronized void saidNothing(Message message) {
    state(message.destination()).probeSaidNothing(message.id(), ticker.nanos());
  }

  private synchronized @Nullable OutboxSignal answered(String destination) {
    destinations.forEach(
        (other, state) -> {
          if (!other.equals(destination)) {
            state.othersAnswered();
          }
        });
    DestinationState state = state(destination);
    if (state.isClean()) {
      return null;
    }
    state.answered(options.breakAfter());
    return closedAgain(destination, state);
  }

  /** Forgets the failures of a destination whose circuit is closed now, and reports it. */
  private @Nullable OutboxSignal closedAgain(String destination, DestinationState state) {
    OutboxSignal up = null;
    if (state.circuit == CircuitState.CLOSED) {
      destinations.put(destination, closed());
      if (state.reported) {
        Duration after = ticker.since(state.downSince);
        LOG.info("{}: destination is back; destination={} after={}", name(), destination, after);
        up = new OutboxSignal.DestinationUp(name(), destination, after);
      }
    }
    changed();
    return up;
  }

  private synchronized @Nullable OutboxSignal failed(Message message, SendOutcome outcome) {
    String destination = message.destination();
    String error =
        ErrorText.bounded(
            outcome.fold(accepted -> "", SendOutcome.Rejected::error, Unknown::error),
            options.maxErrorLength());
    DestinationState state = destinations.computeIfAbsent(destination, unused -> closed());
    boolean refused = outcome instanceof SendOutcome.Rejected;
    state.failed(message.id(), error, refused, options.breakAfter(), ticker.nanos());
    changed();
    if (!state.report()) {
      return null;
    }
    LOG.warn(
        "{}: destination is down, one message every {} probes it; destination={} failures={}"
            + " error={}",
        name(),
        options.probeEvery(),
        destination,
        state.failures,
        error);
    return new OutboxSignal.DestinationDown(name(), destination, error);
  }

  /**
   * Records that the store has blocked messages for the destination. A destination that this relay
   * has heard nothing of counts as down until it answers, and is probed at once.
   */
  public synchronized void suspect(String destination) {
    if (options.breakAfter() > 0) {
      destinations.computeIfAbsent(destination, unused -> closed().suspectedAt(ticker.nanos()));
      changed();
    }
  }

  /** Returns whether the pauses are to be read again; true for one caller per sweep. */
  public synchronized boolean isPauseReadDue() {
    if (pausesRead && ticker.since(pausesReadAt).compareTo(options.sweepEvery()) < 0) {
      return false;
    }
    pausesRead = true;
    pausesReadAt = ticker.nanos();
    return true;
  }

  /** Replaces the known pauses by those of the database, and reports the difference. */
  public void replacePauses(List<Pause> pauses) {
    replaceLocked(pauses).forEach(events::signal);
  }

  private synchronized List<OutboxSignal> replaceLocked(List<Pause> pauses) {
    List<OutboxSignal> changes = new ArrayList<>();
    Map<String, Pause> now = new TreeMap<>();
    for (Pause pause : pauses) {
      String destination = pause.destination();
      now.put(destination, pause);
      if (!paused.containsKey(destination)) {
        LOG.info(
            "{}: destination is paused; destination={} by={} reason={}",
            name(),
            destination,
            pause.by(),
            pause.reason());
        changes.add(
            new OutboxSignal.DestinationPaused(name(), destination, pause.by(), pause.reason()));
      }
    }
    for (String destination : paused.keySet()) {
      if (!now.containsKey(destination)) {
        LOG.info("{}: destination is resumed; destination={}", name(), destination);
        changes.add(new OutboxSignal.DestinationResumed(name(), destination));
      }
    }
    paused = now;
    changed();
    return changes;
  }

  private void changed() {
    allClean = destinations.values().stream().allMatch(DestinationState::isClean);
    allClosed =
        paused.isEmpty() && destinations.values().stream().noneMatch(DestinationState::isOpen);
  }

  private void signal(@Nullable OutboxSignal signal) {
    if (signal != null) {
      events.signal(signal);
    }
  }

  private String name() {
    return options.name();
  }
}
