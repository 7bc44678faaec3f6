package io.postroad.internal.relay;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Ticker;
import io.postroad.message.Message;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.outbox.sender.SendOutcome.Again;
import io.postroad.store.Pause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which destinations this relay may send to: its breaker, and what people paused for every relay.
 *
 * <pre>
 * OPEN --failures in a row--> DOWN --an answer--> RECOVERING --answers in a row--> OPEN
 *                              | one message now and then, to find out
 * PAUSED, whatever else, while the database says so
 * </pre>
 *
 * <p>A failure is an outcome that another try may mend. Tries of one message that is refused count
 * once, so that it can use up its attempts and die without taking its destination along. While a
 * destination is down no attempt is counted.
 *
 * <p>Kept in memory, and only for destinations in trouble. A relay that starts tries those first
 * that have messages set aside. Safe to use from many threads.
 */
public final class Gates {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

  /** Whether a message may go now. */
  public enum Permit {
    FREE,
    /** It goes to find out whether its destination is back; nothing else goes with it. */
    PROBE,
    SHUT
  }

  private final RelayOptions options;
  private final Announcer news;
  private final Ticker ticker;
  private final long probeEvery;
  private final Map<String, Trouble> troubles = new HashMap<>();

  /** Those that were in trouble and are trusted again. */
  private final Set<String> cleared = new HashSet<>();

  private Map<String, Pause> paused = Map.of();
  private boolean looked;
  private long lookedAt;
  private volatile boolean calm = true;
  private volatile boolean allOpen = true;

  Gates(RelayOptions options, Announcer news, Ticker ticker) {
    this.options = options;
    this.news = news;
    this.ticker = ticker;
    this.probeEvery = options.probeEvery().toNanos();
  }

  /** Whether no destination is down or paused; costs nothing. */
  public boolean allOpen() {
    return allOpen;
  }

  /** Whether a message may be sent now; a probe is given away by asking. */
  public Permit ask(Message message) {
    return allOpen ? Permit.FREE : askClosely(message);
  }

  private synchronized Permit askClosely(Message message) {
    Trouble trouble = troubles.get(message.destination());
    if (paused.containsKey(message.destination())) {
      return Permit.SHUT;
    }
    if (trouble == null || !trouble.isShut()) {
      return Permit.FREE;
    }
    if (!trouble.isProbeDue(ticker.nanos())) {
      return Permit.SHUT;
    }
    trouble.probedBy(message.id(), ticker.nanos());
    return Permit.PROBE;
  }

  /** Whether it is paused or down, so that nothing but probes goes there. */
  synchronized boolean isShut(String destination) {
    return paused.containsKey(destination) || isDown(destination);
  }

  /** Whether it is down, or suspected to be. */
  public synchronized boolean isDown(String destination) {
    Trouble trouble = troubles.get(destination);
    return trouble != null && trouble.isShut();
  }

  /**
   * Whether others should not wait for this destination: it is paused, or it is down while there is
   * a broker that answers.
   */
  public synchronized boolean shouldStepAside(String destination) {
    Trouble trouble = troubles.get(destination);
    return paused.containsKey(destination)
        || (trouble != null && trouble.isShut() && trouble.othersGoOn());
  }

  /** Why nothing is sent to it. */
  synchronized String reason(String destination) {
    Pause pause = paused.get(destination);
    Trouble trouble = troubles.get(destination);
    return pause != null
        ? "destination '%s' is paused by %s: %s".formatted(destination, pause.by(), pause.reason())
        : "destination '%s' is down: %s"
            .formatted(destination, trouble == null ? "" : trouble.error());
  }

  /** Whether nothing can be sent to it now, as far as anybody can know: it is tried, or paused. */
  public synchronized boolean isKnownShut(String destination) {
    Trouble trouble = troubles.get(destination);
    return paused.containsKey(destination)
        || (trouble != null && trouble.isShut() && trouble.isTried(ticker.nanos()));
  }

  /**
   * How many messages or keys that were set aside may come back now: all, some of a destination
   * that has just answered, one to find out, none.
   */
  public synchronized int toOpen(String destination, int all) {
    if (paused.containsKey(destination)) {
      return 0;
    }
    Trouble trouble = troubles.get(destination);
    if (trouble == null || !trouble.isShut()) {
      return trouble != null && trouble.isRecovering()
          ? Math.min(all, 2 * options.breakAfter())
          : all;
    }
    if (!trouble.mayLetOneBack(ticker.nanos())) {
      return 0;
    }
    trouble.letBack(ticker.nanos());
    return 1;
  }

  /** There was none to let back to find out; another lane may have some. */
  public synchronized void letNoneBack(String destination) {
    Trouble trouble = troubles.get(destination);
    if (trouble != null) {
      trouble.letNoneBack(ticker.nanos());
    }
  }

  /** Everything that was set aside is due again. */
  public void letAllBack(String destination) {
    OutboxSignal change = trust(destination);
    if (change != null) {
      news.signal(change);
    }
  }

  private synchronized @Nullable OutboxSignal trust(String destination) {
    Trouble trouble = troubles.get(destination);
    return trouble != null && trouble.isRecovering() ? trust(destination, trouble) : null;
  }

  private @Nullable OutboxSignal trust(String destination, Trouble trouble) {
    troubles.remove(destination);
    cleared.add(destination);
    changed();
    if (!trouble.wasTold()) {
      return null;
    }
    Duration after = ticker.since(trouble.downSince());
    LOG.info("{}: destination is back; destination={} after={}", name(), destination, after);
    return new OutboxSignal.DestinationUp(name(), destination, after);
  }

  /** An outcome of a pipe. The one that failed first is to blame for what is unknown behind it. */
  public void heardInPipe(Message message, SendOutcome outcome, boolean failedFirst) {
    if (failedFirst || !(outcome instanceof SendOutcome.Unknown)) {
      heard(message, outcome);
    } else {
      toldNothing(message);
    }
  }

  private synchronized void toldNothing(Message message) {
    Trouble trouble = troubles.get(message.destination());
    if (trouble != null) {
      trouble.toldNothing(message.id(), ticker.nanos());
    }
  }

  /** An outcome that says something about the destination. */
  public void heard(Message message, SendOutcome outcome) {
    if (outcome instanceof SendOutcome.Unknown unknown && unknown.onlyItsKey()) {
      toldNothing(message);
      return;
    }
    boolean answer =
        outcome.fold(
            accepted -> true, rejected -> rejected.again() == Again.NEVER, unknown -> false);
    OutboxSignal change = null;
    if (!answer) {
      change = failed(message, outcome);
    } else if (!calm) {
      change = answered(message.destination());
    }
    if (change != null) {
      news.signal(change);
    }
  }

  private synchronized @Nullable OutboxSignal answered(String destination) {
    for (Map.Entry<String, Trouble> trouble : troubles.entrySet()) {
      if (!trouble.getKey().equals(destination)) {
        trouble.getValue().othersAnswered();
      }
    }
    Trouble trouble = troubles.get(destination);
    if (trouble != null && trouble.answered(options.breakAfter())) {
      return trust(destination, trouble);
    }
    changed();
    return null;
  }

  private synchronized @Nullable OutboxSignal failed(Message message, SendOutcome outcome) {
    String destination = message.destination();
    String error =
        ErrorText.bounded(
            outcome.fold(accepted -> "", SendOutcome.Rejected::error, SendOutcome.Unknown::error),
            options.maxErrorLength());
    Trouble trouble = troubles.computeIfAbsent(destination, name -> Trouble.begun(probeEvery));
    trouble.failed(
        message.id(),
        error,
        outcome instanceof SendOutcome.Rejected,
        options.breakAfter(),
        ticker.nanos());
    changed();
    if (!trouble.tell()) {
      return null;
    }
    cleared.remove(destination);
    LOG.warn(
        "{}: destination is down, one message every {} tries it; destination={} failures={}"
            + " error={}",
        name(),
        options.probeEvery(),
        destination,
        trouble.failures(),
        error);
    return new OutboxSignal.DestinationDown(name(), destination, error);
  }

  /**
   * Messages were set aside for it, by another relay perhaps: treats it as down until it has
   * answered, and lets it be tried at once.
   */
  public synchronized void suspect(String destination) {
    if (options.breakAfter() > 0 && !cleared.contains(destination)) {
      troubles.computeIfAbsent(destination, name -> Trouble.suspected(ticker.nanos(), probeEvery));
      changed();
    }
  }

  /** Whether it is time to look at the database again; true for one of those who ask. */
  public synchronized boolean isTimeToLook() {
    if (looked && ticker.since(lookedAt).compareTo(options.sweepEvery()) < 0) {
      return false;
    }
    looked = true;
    lookedAt = ticker.nanos();
    return true;
  }

  /** Takes over what the database says about pauses. */
  public void see(List<Pause> pauses) {
    takeOver(pauses).forEach(news::signal);
  }

  private synchronized List<OutboxSignal> takeOver(List<Pause> pauses) {
    List<OutboxSignal> changes = new ArrayList<>();
    Map<String, Pause> now = new TreeMap<>();
    for (Pause pause : pauses) {
      now.put(pause.destination(), pause);
      if (!paused.containsKey(pause.destination())) {
        LOG.info(
            "{}: destination is paused; destination={} by={} reason={}",
            name(),
            pause.destination(),
            pause.by(),
            pause.reason());
        changes.add(
            new OutboxSignal.DestinationPaused(
                name(), pause.destination(), pause.by(), pause.reason()));
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
    calm = troubles.isEmpty();
    allOpen = paused.isEmpty() && troubles.values().stream().noneMatch(Trouble::isShut);
  }

  private String name() {
    return options.name();
  }
}
