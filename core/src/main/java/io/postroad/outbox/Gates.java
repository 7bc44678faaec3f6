package io.postroad.outbox;

import io.postroad.message.Message;
import io.postroad.outbox.SendOutcome.Accepted;
import io.postroad.outbox.SendOutcome.Again;
import io.postroad.outbox.SendOutcome.Rejected;
import io.postroad.outbox.SendOutcome.Unknown;
import io.postroad.store.Pause;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which destinations this relay may send to: its breaker, and what people paused for every relay.
 *
 * <pre>
 * OPEN --failures in a row--> DOWN --an answer--> OPEN
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
final class Gates {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);

  /** Whether a message may go now. */
  enum Pass {
    FREE,
    /** It goes to find out whether its destination is back; nothing else goes with it. */
    PROBE,
    SHUT
  }

  private static final class Trouble {
    int failures;
    @Nullable UUID lastRefused;
    String error = "nothing was delivered since this relay started";
    boolean down;
    boolean told;
    long downSince;
    long probedAt;
    long openedAt;
    boolean othersAnswered;
    boolean alone;
  }

  private final RelayOptions options;
  private final Announcer news;
  private final Ticker ticker;
  private final Map<String, Trouble> troubles = new HashMap<>();

  /** Those that were down and have answered since. */
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
  }

  /** Whether no destination is down or paused; costs nothing. */
  boolean allOpen() {
    return allOpen;
  }

  /** Whether a message to this destination may be sent now; a probe is given away by asking. */
  Pass ask(String destination) {
    return allOpen ? Pass.FREE : askClosely(destination);
  }

  private synchronized Pass askClosely(String destination) {
    if (!isShut(destination)) {
      return Pass.FREE;
    }
    Trouble trouble = troubles.get(destination);
    if (paused.containsKey(destination) || trouble == null || !isProbeDue(trouble)) {
      return Pass.SHUT;
    }
    trouble.probedAt = ticker.nanos();
    return Pass.PROBE;
  }

  synchronized boolean isShut(String destination) {
    return paused.containsKey(destination) || isDown(destination);
  }

  synchronized boolean isDown(String destination) {
    Trouble trouble = troubles.get(destination);
    return trouble != null && trouble.down;
  }

  /**
   * Whether others should not wait for this destination: it is paused, or it is down while there is
   * a broker that answers.
   */
  synchronized boolean shouldStepAside(String destination) {
    Trouble trouble = troubles.get(destination);
    return paused.containsKey(destination) || (trouble != null && trouble.down && trouble.alone);
  }

  /** Why nothing is sent to it. */
  synchronized String reason(String destination) {
    Pause pause = paused.get(destination);
    Trouble trouble = troubles.get(destination);
    return pause != null
        ? "destination '%s' is paused by %s: %s".formatted(destination, pause.by(), pause.reason())
        : "destination '%s' is down: %s"
            .formatted(destination, trouble == null ? "" : trouble.error);
  }

  /**
   * How many messages or keys that were set aside may come back now: all, one to find out, none.
   */
  synchronized int toOpen(String destination, int all) {
    if (paused.containsKey(destination)) {
      return 0;
    }
    Trouble trouble = troubles.get(destination);
    if (trouble == null || !trouble.down) {
      return all;
    }
    if (!isProbeDue(trouble) || isYoung(trouble.openedAt)) {
      return 0;
    }
    trouble.openedAt = ticker.nanos();
    return 1;
  }

  private boolean isProbeDue(Trouble trouble) {
    return !isYoung(trouble.probedAt);
  }

  private boolean isYoung(long reading) {
    return ticker.since(reading).compareTo(options.probeEvery()) < 0;
  }

  /** An outcome that says something about the destination. */
  void heard(Message message, SendOutcome outcome) {
    if (outcome instanceof Accepted) {
      if (!calm) {
        answered(message.destination());
      }
    } else if (outcome instanceof Rejected rejected) {
      if (rejected.again() == Again.NEVER) {
        answered(message.destination());
      } else {
        failed(message, rejected.error(), true);
      }
    } else if (outcome instanceof Unknown unknown) {
      failed(message, unknown.error(), false);
    }
  }

  private synchronized void answered(String destination) {
    Trouble over = troubles.remove(destination);
    troubles.values().forEach(trouble -> trouble.othersAnswered = true);
    if (over != null && over.down) {
      cleared.add(destination);
    }
    if (over != null && over.told) {
      Duration after = ticker.since(over.downSince);
      LOG.info("{}: destination is back; destination={} after={}", name(), destination, after);
      news.signal(new OutboxSignal.DestinationUp(name(), destination, after));
    }
    changed();
  }

  private synchronized void failed(Message message, String error, boolean refused) {
    String destination = message.destination();
    Trouble trouble = troubles.computeIfAbsent(destination, name -> new Trouble());
    trouble.error = error;
    trouble.alone |= refused || trouble.othersAnswered;
    if (!refused || !message.id().equals(trouble.lastRefused)) {
      trouble.failures++;
    }
    trouble.lastRefused = refused ? message.id() : null;
    if (!trouble.down && trouble.failures >= options.breakAfter() && options.breakAfter() > 0) {
      shut(trouble);
      cleared.remove(destination);
      trouble.told = true;
      LOG.warn(
          "{}: destination is down, one message every {} tries it; destination={} failures={}"
              + " error={}",
          name(),
          options.probeEvery(),
          destination,
          trouble.failures,
          error);
      news.signal(
          new OutboxSignal.DestinationDown(
              name(), destination, ErrorText.bounded(error, options.maxErrorLength())));
    }
    changed();
  }

  private void shut(Trouble trouble) {
    trouble.down = true;
    trouble.downSince = ticker.nanos();
    trouble.probedAt = ticker.nanos();
    trouble.openedAt = ticker.nanos();
  }

  /**
   * Messages were set aside for it, by another relay perhaps: treats it as down until it has
   * answered, and lets it be tried at once.
   */
  synchronized void suspect(String destination) {
    if (troubles.containsKey(destination)
        || cleared.contains(destination)
        || options.breakAfter() == 0) {
      return;
    }
    Trouble trouble = new Trouble();
    shut(trouble);
    trouble.alone = true;
    trouble.probedAt -= options.probeEvery().toNanos();
    trouble.openedAt = trouble.probedAt;
    troubles.put(destination, trouble);
    changed();
  }

  /** Whether it is time to look at the database again; true for one of those who ask. */
  synchronized boolean isTimeToLook() {
    if (looked && ticker.since(lookedAt).compareTo(options.sweepEvery()) < 0) {
      return false;
    }
    looked = true;
    lookedAt = ticker.nanos();
    return true;
  }

  /** Takes over what the database says about pauses. */
  synchronized void see(List<Pause> pauses) {
    Map<String, Pause> now = new TreeMap<>();
    pauses.forEach(pause -> now.put(pause.destination(), pause));
    now.forEach(
        (destination, pause) -> {
          if (!paused.containsKey(destination)) {
            LOG.info(
                "{}: destination is paused; destination={} by={} reason={}",
                name(),
                destination,
                pause.by(),
                pause.reason());
            news.signal(
                new OutboxSignal.DestinationPaused(
                    name(), destination, pause.by(), pause.reason()));
          }
        });
    for (String destination : paused.keySet()) {
      if (!now.containsKey(destination)) {
        LOG.info("{}: destination is resumed; destination={}", name(), destination);
        news.signal(new OutboxSignal.DestinationResumed(name(), destination));
      }
    }
    paused = now;
    changed();
  }

  private void changed() {
    calm = troubles.isEmpty();
    allOpen = paused.isEmpty() && troubles.values().stream().noneMatch(trouble -> trouble.down);
  }

  private String name() {
    return options.name();
  }
}
