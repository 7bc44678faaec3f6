package io.postroad.internal.command;

import io.postroad.command.CommandBus;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Waiter;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops the background loops of a bus: the claimer, the sweeper, and the poll for
 * replies. Safe to use from many threads.
 */
public final class BusLoops<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(10);

  private final CommandParts<T> parts;
  private final StepHandoff<T> steps;
  private volatile @Nullable Started<T> started;
  private boolean closed;

  public BusLoops(CommandParts<T> parts, StepHandoff<T> steps) {
    this.parts = parts;
    this.steps = steps;
  }

  /** The loops of a bus that runs. */
  private record Started<T>(
      CommandClaimer<T> claimer, List<BackgroundLoop> loops, WakeUps.Subscription wakeUps) {}

  public synchronized void start() {
    if (started != null) {
      return;
    }
    if (closed) {
      throw new IllegalStateException(
          "command bus '%s' was closed; build another one".formatted(name()));
    }
    CommandClaimer<T> claimer = new CommandClaimer<>(parts);
    List<BackgroundLoop> loops = new ArrayList<>();
    WakeUps.Subscription wakeUps = () -> {};
    if (hasHandlers()) {
      loops.add(loop("claimer", claimer, claimer.waiter()));
      wakeUps = parts.store().wakeUps().subscribe(claimer.waiter()::signal);
    }
    loops.add(loop("sweeper", new CommandSweeper<>(parts), new Waiter()));
    loops.add(loop("replies", parts.futures(), parts.futures().waiter()));
    started = new Started<>(claimer, loops, wakeUps);
    steps.open(claimer);
    loops.forEach(BackgroundLoop::start);
    LOG.info(
        "{}: started; store={} types={} concurrency={} lease={}",
        name(),
        parts.store().name(),
        parts.handlers().registry().types(),
        parts.options().concurrency(),
        parts.options().leaseFor());
  }

  private boolean hasHandlers() {
    return !parts.handlers().registry().types().isEmpty();
  }

  private BackgroundLoop loop(String name, BackgroundLoop.Pass pass, Waiter waiter) {
    return new BackgroundLoop(
        name() + "-" + name, pass, waiter, Pace.ofTrouble(), body -> Threads.daemon(name(), body));
  }

  private String name() {
    return parts.options().name();
  }

  public void requireStarted() {
    if (started == null) {
      throw new IllegalStateException(
          "command bus '%s' was not started: start() it before waiting for replies"
              .formatted(name()));
    }
  }

  public boolean isRunning() {
    Started<T> now = started;
    return now != null && now.loops().stream().noneMatch(BackgroundLoop::hasEnded);
  }

  public int inFlight() {
    Started<T> now = started;
    return now == null ? 0 : now.claimer().inFlight();
  }

  /** Claims and handles, sweeps and purges once, on the thread of the caller. */
  public synchronized int runOnce() {
    if (started != null) {
      throw new IllegalStateException(
          "command bus '%s' runs on its own threads: stop() it before runOnce()".formatted(name()));
    }
    CommandSweeper<T> sweeper = new CommandSweeper<>(parts);
    int unusedExpired = sweeper.expire();
    boolean unusedMore = sweeper.findUndelivered();
    int unusedPurged = sweeper.purge();
    return hasHandlers() ? new CommandClaimer<>(parts).runHere() : 0;
  }

  public synchronized void stop() {
    Started<T> stopping = started;
    if (stopping == null) {
      return;
    }
    stopping.wakeUps().close();
    BackgroundLoop.stopAll(stopping.loops(), STOP_WITHIN);
    int interrupted = stopping.claimer().stop();
    started = null;
    LOG.info("{}: stopped; interrupted={}", name(), interrupted);
  }

  @Override
  public synchronized void close() {
    stop();
    closed = true;
    parts.futures().close();
    parts.threads().close();
  }
}
