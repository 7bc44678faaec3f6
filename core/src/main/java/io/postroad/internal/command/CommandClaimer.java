package io.postroad.internal.command;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.internal.command.RunClaim.Origin;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Waiter;
import io.postroad.spi.CommandClaim;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CLAIM: claims due commands in batches, more than there are free places, and gives each to a
 * thread when a place is free. So a busy node commits one claim for many commands. A thread whose
 * command handed over the next one runs that one.
 *
 * <p>One thread uses the loop; runs end on others. Of the commands that wait here, a crash leaves
 * leases that expire, or what their processes have saved.
 */
public final class CommandClaimer<T> implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);
  private static final Duration SOONEST = Duration.ofMillis(20);
  private static final Duration DRAIN_STEP = Duration.ofMillis(50);

  /** Longest wait of a command here that is aimed at, because other nodes may be idle. */
  private static final double WAIT_MILLIS = 500;

  /** Waiting commands go back to the queue when no place has become free for this long. */
  private static final Duration STUCK_AFTER = Duration.ofSeconds(5);

  /** Weight of the latest run in the average. */
  private static final double WEIGHT = 0.1;

  private final CommandParts<T> parts;
  private final Set<String> types;
  private final Waiter waiter = new Waiter();
  private final Pace pace;
  private final Deque<CommandRun<T>> waiting = new ArrayDeque<>();
  private final Deque<CommandRun<T>> suspects = new ArrayDeque<>();
  private final Set<CommandRun<T>> running = new HashSet<>();

  /** Runs whose result could not be written because the database was down. */
  private final Deque<CommandRun<T>> unsettled = new ArrayDeque<>();

  private int places;
  private double averageMillis = -1;

  /** When a waiting command last got a place. */
  private long beganAt;

  private boolean more;
  private boolean alone;
  private boolean stopping;

  public CommandClaimer(CommandParts<T> parts) {
    this.parts = parts;
    this.types = parts.handlers().registry().types();
    this.places = parts.options().concurrency();
    this.pace = new Pace(SOONEST, parts.options().sweepEvery(), new SplittableRandom());
  }

  public Waiter waiter() {
    return waiter;
  }

  @Override
  public Duration runOnce() {
    releaseUnsettled();
    giveBackStuck();
    int wanted = wanted();
    if (wanted == 0) {
      pollLater();
      return parts.options().sweepEvery();
    }
    List<CommandRun<T>> taken = claim(wanted);
    enqueue(taken, taken.size() == wanted);
    startWaiting();
    if (!taken.isEmpty()) {
      pace.reset();
    }
    return pace.next();
  }

  /**
   * Returns how many commands to claim: as many as there are places, and some that wait a moment,
   * because a claim for few costs as much as one for many. None while half of those still wait.
   */
  private synchronized int wanted() {
    if (isSuspectAlone()) {
      return 0;
    }
    int ahead = ahead();
    return waiting.size() > ahead / 2
        ? 0
        : Math.min(parts.options().batch(), places + ahead - waiting.size());
  }

  /** Has the next free place poll: a wake-up may have been the reason for the poll left out. */
  private synchronized void pollLater() {
    more = true;
  }

  /** Tells whether a suspect runs alone, or is about to. Nothing else is claimed meanwhile. */
  private boolean isSuspectAlone() {
    return alone || !suspects.isEmpty();
  }

  /**
   * Releases commands whose outcome the database did not take, so that they run again before their
   * lease is over.
   */
  private void releaseUnsettled() {
    Optional<CommandRun<T>> next = nextUnsettled();
    while (next.isPresent()) {
      try {
        if (!next.get().claim().isLeaseOver()) {
          next.get().claim().releaseUnsettled();
        }
      } catch (RuntimeException | Error failed) {
        // Already logged by the call. The next pass begins with the others.
        synchronized (this) {
          unsettled.add(next.get());
        }
        return;
      }
      next = nextUnsettled();
    }
  }

  private synchronized Optional<CommandRun<T>> nextUnsettled() {
    return Optional.ofNullable(unsettled.poll());
  }

  /** Gives back waiting commands while all runs hang: other nodes may have free places. */
  private void giveBackStuck() {
    List<CommandRun<T>> stuck = takeStuck();
    if (stuck.isEmpty()) {
      return;
    }
    try {
      RunClaim.release(parts, stuck.stream().map(CommandRun::claim).toList());
      LOG.warn(
          "{}: no handler was free for {} s, commands that waited for one are given back; commands={}",
          parts.options().name(),
          STUCK_AFTER.toSeconds(),
          stuck.size());
    } catch (RuntimeException | Error failed) {
      // Logged by the call. The commands wait here still; each is checked before its handler.
      keepWaiting(stuck);
      startWaiting();
    }
  }

  /** Excludes commands accepted on this node: they start without a check of their claim. */
  private synchronized List<CommandRun<T>> takeStuck() {
    if (!isStuck()) {
      return List.of();
    }
    List<CommandRun<T>> stuck = waiting.stream().filter(run -> run.claim().isFromQueue()).toList();
    waiting.removeAll(stuck);
    return stuck;
  }

  private synchronized void keepWaiting(List<CommandRun<T>> runs) {
    for (int i = runs.size() - 1; i >= 0; i--) {
      waiting.addFirst(runs.get(i));
    }
  }

  private boolean isStuck() {
    boolean isFull = places == 0 || isSuspectAlone();
    return isFull && parts.threads().ticker().since(beganAt).compareTo(STUCK_AFTER) >= 0;
  }

  private int ahead() {
    if (averageMillis < 0 || isStuck()) {
      return 0;
    }
    double soon = parts.options().concurrency() * WAIT_MILLIS / Math.max(1, averageMillis);
    return (int) Math.min(parts.options().batch(), soon);
  }

  private List<CommandRun<T>> claim(int limit) {
    CommandOptions options = parts.options();
    long askedAt = parts.threads().ticker().nanos();
    List<CommandClaim> claims =
        parts
            .events()
            .ask(
                "claim",
                () -> parts.store().claim(options.name(), types, limit, options.leaseFor()));
    claims.forEach(claim -> parts.events().claimed(claim.command(), claim.attempt()));
    return claims.stream().map(claim -> runOf(claim, Origin.CLAIMED, askedAt)).toList();
  }

  /** Makes a run of this claim, for a place of this claimer. */
  CommandRun<T> runOf(CommandClaim claim, Origin origin, long askedAt) {
    return new CommandRun<>(parts, new RunClaim<>(parts, claim, origin, askedAt), this::leave);
  }

  synchronized boolean isStopping() {
    return stopping;
  }

  /**
   * Returns the number of free places that no waiting command needs. Places whose run has committed
   * count, unless more commands wait in the store: a caller that was woken by the end of a run
   * would otherwise often find no place.
   */
  synchronized int freePlaces() {
    if (stopping || isSuspectAlone()) {
      return 0;
    }
    long left = more ? 0 : running.stream().filter(CommandRun::isLeaving).count();
    return (int) Math.max(0, places + left - waiting.size());
  }

  /** Returns how many commands run now. */
  public synchronized int inFlight() {
    return running.size();
  }

  /** Begins a run that was accepted on this node, or has it wait for a place. */
  void offer(CommandRun<T> run) {
    parts.events().claimed(run.claim().command(), run.claim().attempt());
    synchronized (this) {
      waiting.add(run);
    }
    startWaiting();
  }

  private synchronized void enqueue(List<CommandRun<T>> taken, boolean full) {
    taken.forEach(run -> (run.claim().isLastChance() ? suspects : waiting).add(run));
    more = full;
  }

  /** Starts as many as there are places; those that would outlast their lease are given back. */
  private void startWaiting() {
    List<CommandRun<T>> tooLate = new ArrayList<>();
    synchronized (this) {
      Optional<CommandRun<T>> next = next();
      while (next.isPresent()) {
        if (stopping || next.get().claim().isTooLateToBegin() || !begin(next.get())) {
          tooLate.add(next.get());
        }
        next = next();
      }
    }
    release(tooLate);
  }

  /** Returns the next one that may begin now; a suspect begins when nothing else runs. */
  private Optional<CommandRun<T>> next() {
    alone = alone && !running.isEmpty();
    if (stopping || (!isSuspectAlone() && places > 0)) {
      return Optional.ofNullable(suspects.isEmpty() ? waiting.poll() : suspects.poll());
    }
    if (alone || suspects.isEmpty() || !running.isEmpty()) {
      return Optional.empty();
    }
    alone = true;
    return Optional.of(suspects.remove());
  }

  /** Starts a thread for it; false when there is none. Takes the place first, for a stop to see. */
  private boolean begin(CommandRun<T> next) {
    places--;
    beganAt = parts.threads().ticker().nanos();
    running.add(next);
    try {
      parts.threads().execute(() -> run(next));
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError noThread) {
      LOG.error("{}: no thread for a command, it is given back", parts.options().name(), noThread);
      running.remove(next);
      places++;
      return false;
    }
  }

  /** Runs a command and the commands that follow it in its chain, all in one place. */
  private void run(CommandRun<T> first) {
    Chain<T> chain = parts.threads().beginChain();
    try {
      Optional<CommandRun<T>> next = Optional.of(first);
      while (next.isPresent()) {
        next = run(next.get(), chain);
      }
    } finally {
      parts.threads().endChain();
    }
  }

  /** Runs one command, and frees its place, unless it returns the one that follows there. */
  private Optional<CommandRun<T>> run(CommandRun<T> run, Chain<T> chain) {
    long began = parts.threads().ticker().nanos();
    try {
      parts.handlers().traces().handled(run);
    } catch (RuntimeException | Error failed) {
      LOG.warn(
          "{}: could not settle a command, trying again until its lease expires; command={} error={}",
          parts.options().name(),
          run.claim().command().id(),
          ErrorText.of(failed));
      synchronized (this) {
        unsettled.add(run);
      }
    }
    Optional<CommandRun<T>> next = chain.next();
    boolean goesOn = false;
    synchronized (this) {
      average(parts.threads().ticker().since(began).toNanos() / 1e6);
      boolean isOurs = running.contains(run);
      if (isOurs && next.isPresent() && !stopping && !next.get().claim().isTooLateToBegin()) {
        running.remove(run);
        running.add(next.get());
        goesOn = true;
      }
    }
    if (goesOn) {
      next.ifPresent(
          taken -> parts.events().claimed(taken.claim().command(), taken.claim().attempt()));
      return next;
    }
    next.ifPresent(this::giveBack);
    leave(run);
    return Optional.empty();
  }

  /** Frees the place of a run that has ended, or whose thread does not come back; once. */
  private void leave(CommandRun<T> run) {
    boolean hadPlace;
    synchronized (this) {
      hadPlace = running.remove(run);
    }
    if (hadPlace) {
      freePlace();
    }
  }

  /** Gives back the next command, which this thread cannot run. */
  private void giveBack(CommandRun<T> run) {
    // A stop may have interrupted the run before it, which has committed.
    boolean unused = Thread.interrupted();
    release(List.of(run));
  }

  private void average(double millis) {
    averageMillis = averageMillis < 0 ? millis : averageMillis + WEIGHT * (millis - averageMillis);
  }

  private void freePlace() {
    boolean low;
    synchronized (this) {
      places++;
      low = alone || (more && wanted() > 0);
      notifyAll();
    }
    startWaiting();
    if (low) {
      waiter.signal();
    }
  }

  private void release(List<CommandRun<T>> runs) {
    try {
      RunClaim.release(parts, runs.stream().map(CommandRun::claim).toList());
    } catch (RuntimeException | Error failed) {
      // Logged by the call; the leases expire.
    }
  }

  /** Claims and runs commands on the thread of the caller; returns how many. */
  public int runHere() {
    List<CommandRun<T>> taken = claim(parts.options().batch());
    taken.forEach(parts.handlers().traces()::handled);
    return taken.size();
  }

  /**
   * Gives back the commands that have not begun, after the loop was stopped, and waits for the
   * others. A run that takes longer than allowed is interrupted and rolls back.
   *
   * @return how many were interrupted
   */
  public int stop() {
    List<CommandRun<T>> notBegun;
    synchronized (this) {
      stopping = true;
      notBegun = new ArrayList<>(suspects);
      notBegun.addAll(waiting);
      suspects.clear();
      waiting.clear();
    }
    release(notBegun);
    awaitIdle(parts.options().drainFor());
    int left;
    synchronized (this) {
      left = running.size();
      running.forEach(CommandRun::interruptForStop);
    }
    if (left > 0) {
      awaitIdle(CommandOptions.GRACE);
      stillRunning().forEach(CommandRun::giveUpForStop);
    }
    return left;
  }

  private synchronized List<CommandRun<T>> stillRunning() {
    return List.copyOf(running);
  }

  private synchronized void awaitIdle(Duration atMost) {
    long began = parts.threads().ticker().nanos();
    try {
      while (!running.isEmpty() && parts.threads().ticker().since(began).compareTo(atMost) < 0) {
        wait(DRAIN_STEP.toMillis());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
