package io.postroad.internal.relay;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.trace.Tracing;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/**
 * The parts that the engines of a relay share. A relay that is stopped and started again makes a
 * new engine with the same parts.
 *
 * @param inFlight counts the messages that were handed to the sender and have no outcome yet
 */
public record RelayParts(
    MessageSender sender,
    RelayOptions options,
    RelayEvents events,
    ThreadFactory threads,
    Ticker ticker,
    CircuitBreaker breaker,
    LongAdder inFlight,
    Tracing tracing) {
  private static final Duration SHORTEST_POLL = Duration.ofMillis(20);

  /** The time that stop and runOnce allow beyond the time that sends may take. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  public static RelayParts of(
      MessageSender sender,
      RelayOptions options,
      OutboxObserver observer,
      ThreadFactory threads,
      Ticker ticker,
      Tracing tracing) {
    RelayEvents events = new RelayEvents(options.name(), observer);
    return new RelayParts(
        TracedSender.of(sender, tracing),
        options,
        events,
        threads,
        ticker,
        new CircuitBreaker(options, events, ticker),
        new LongAdder(),
        tracing);
  }

  /**
   * Makes the rules of one loop.
   *
   * @param noneDeadFor how long no message is declared dead; zero unless a node has crashed
   */
  public SettleRules rules(Duration noneDeadFor) {
    long noneDeadBefore = ticker.nanos() + noneDeadFor.toNanos();
    return new SettleRules(options, breaker, new SplittableRandom(), ticker, noneDeadBefore);
  }

  public Pace pollPace() {
    return new Pace(SHORTEST_POLL, options.sweepEvery(), new SplittableRandom());
  }

  public BackgroundLoop loop(String suffix, BackgroundLoop.Pass pass, Waiter waiter) {
    return new BackgroundLoop(
        options.name() + "-" + suffix, pass, waiter, Pace.ofTrouble(), threads);
  }

  /** Returns how long a stop may take in all. */
  public Duration stopWithin() {
    return options.drainFor().plus(GRACE);
  }
}
