package io.postroad.internal.relay;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.trace.Tracing;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the engines of a relay share; one after the other, when it is stopped and started again.
 *
 * @param inFlight counts the messages that somebody has and whose outcome is not known
 */
public record RelayParts(
    MessageSender sender,
    RelayOptions options,
    ObserverGuard observer,
    ThreadFactory threads,
    Ticker ticker,
    Gates gates,
    LongAdder inFlight,
    Tracing tracing) {
  private static final Duration SHORTEST_POLL = Duration.ofMillis(20);

  /** What stop and runOnce allow beyond the time that sends may take. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  /** Those of a relay that nobody follows. */
  public static RelayParts of(
      MessageSender sender,
      RelayOptions options,
      ObserverGuard observer,
      ThreadFactory threads,
      Ticker ticker) {
    return of(sender, options, observer, threads, ticker, Tracing.none());
  }

  public static RelayParts of(
      MessageSender sender,
      RelayOptions options,
      ObserverGuard observer,
      ThreadFactory threads,
      Ticker ticker,
      Tracing tracing) {
    Gates gates = new Gates(options, new Announcer(options.name(), observer), ticker);
    return new RelayParts(
        TracedSender.of(sender, tracing),
        options,
        observer,
        threads,
        ticker,
        gates,
        new LongAdder(),
        tracing);
  }

  public Announcer announcer() {
    return new Announcer(options.name(), observer);
  }

  public SettleRules rules() {
    return new SettleRules(options, gates, new SplittableRandom());
  }

  public Pace pollPace() {
    return new Pace(SHORTEST_POLL, options.sweepEvery(), new SplittableRandom());
  }

  public Pace troublePace() {
    return Pace.ofTrouble();
  }

  public BackgroundLoop loop(String suffix, BackgroundLoop.Pass pass, Waiter waiter) {
    return new BackgroundLoop(options.name() + "-" + suffix, pass, waiter, troublePace(), threads);
  }

  /** How long a stop may take in all. */
  public Duration stopWithin() {
    return options.drainFor().plus(GRACE);
  }
}
