package io.postroad.internal.command;

import io.postroad.command.CommandBus;
import io.postroad.command.CommandOptions;
import io.postroad.internal.command.CommandRun.Origin;
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
 * CLAIM: takes due commands in batches, more than there are handlers free, and hands each to a
 * thread when its turn comes. So a busy node commits one claim for many commands. A thread whose
 * command accepted the next one itself goes on with that one.
 *
 * <p>The loop is used by one thread; runs end on others. What waits here when the process dies has
 * a lease that expires, or was written down by whoever has it carried.
 */
public final class CommandTaker<T> implements BackgroundLoop.Pass {
  private static final Logger LOG = LoggerFactory.getLogger(CommandBus.class);
  private static final Duration SOONEST = Duration.ofMillis(20);
  private static final Duration DRAIN_STEP = Duration.ofMillis(50);

  /** So long at most should a command wait here while other nodes may be idle. */
  private static final double WAIT_MILLIS = 500;

  /**
   * When none has begun for so long, because no place is free, other nodes may have those that
   * wait.
   */
  private static final Duration STUCK_AFTER = Duration.ofSeconds(5);

  /** How much the latest run counts in the average. */
  private static final double WEIGHT = 0.1;

  private final CommandParts<T> parts;
  private final Set<String> types;
  private final Waiter waiter = new Waiter();
  private final Pace pace;
  private final Deque<CommandRun<T>> waiting = new ArrayDeque<>();
  private final Deque<CommandRun<T>> suspects = new ArrayDeque<>();
  private final Set<CommandRun<T>> running = new HashSet<>();

  /** Runs that have ended, and whose end the database did not take: it was down. */
  private final Deque<CommandRun<T>> unsettled = new ArrayDeque<>();

  private int places;
  private double averageMillis = -1;

  /** When one that waited began last. */
  private long beganAt;

  private boolean more;
  private boolean alone;
  private boolean stopping;

  public CommandTaker(CommandParts<T> parts) {
    this.parts = parts;
    this.types = parts.registry().types();
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
      lookLater();
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
   * As many as there are places, and so many more that the next ones wait a moment: a claim for few
   * costs as much as one for many. None while half of those still wait.
   */
  private synchronized int wanted() {
    if (isOneAlone()) {
      return 0;
    }
    int ahead = ahead();
    return waiting.size() > ahead / 2
        ? 0
        : Math.min(parts.options().batch(), places + ahead - waiting.size());
  }

  /** Somebody may have asked for this look, and it was not made: the next free place asks again. */
  private synchronized void lookLater() {
    more = true;
  }

  /** One runs alone, or is about to: meanwhile none is taken, since it may be what kills us. */
  private boolean isOneAlone() {
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
        if (!next.get().isLeaseOver()) {
          next.get().releaseUnsettled();
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

  /** What waits for a place while all runs hang: other nodes may have one. */
  private void giveBackStuck() {
    List<CommandRun<T>> stuck = takeStuck();
    if (stuck.isEmpty()) {
      return;
    }
    try {
      CommandRun.release(parts, stuck);
      LOG.warn(
          "{}: no handler was free for {} s, commands that waited for one are given back; commands={}",
          parts.options().name(),
          STUCK_AFTER.toSeconds(),
          stuck.size());
    } catch (RuntimeException | Error failed) {
      // Told by whoever asked the store. They wait on here: whoever begins one opens it first.
      keepWaiting(stuck);
      startWaiting();
    }
  }

  /** Without those that were accepted as taken: who begins one does not ask the store first. */
  private synchronized List<CommandRun<T>> takeStuck() {
    if (!isStuck()) {
      return List.of();
    }
    List<CommandRun<T>> stuck = waiting.stream().filter(CommandRun::isClaimed).toList();
    waiting.removeAll(stuck);
    return stuck;
  }

  private synchronized void keepWaiting(List<CommandRun<T>> runs) {
    for (int i = runs.size() - 1; i >= 0; i--) {
      waiting.addFirst(runs.get(i));
    }
  }

  private boolean isStuck() {
    boolean isFull = places == 0 || isOneAlone();
    return isFull && parts.ticker().since(beganAt).compareTo(STUCK_AFTER) >= 0;
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
    long askedAt = parts.ticker().nanos();
    List<CommandClaim> claims =
        parts
            .news()
            .ask(
                "claim",
                () -> parts.store().claim(options.name(), types, limit, options.leaseFor()));
    claims.forEach(claim -> parts.news().claimed(claim.command(), claim.attempt()));
    return claims.stream().map(claim -> runOf(claim, Origin.CLAIMED, askedAt)).toList();
  }

  /** A run of this claim, on a place of this taker. */
  CommandRun<T> runOf(CommandClaim claim, Origin origin, long askedAt) {
    return new CommandRun<>(parts, claim, origin, askedAt, this::givenUp);
  }

  synchronized boolean isStopping() {
    return stopping;
  }

  /**
   * Places that nobody has and nobody waits for here, with those whose run has committed, unless
   * older ones are in the store. Whoever waits for the end of one and comes with the next would
   * otherwise often find none.
   */
  synchronized int freePlaces() {
    if (stopping || isOneAlone()) {
      return 0;
    }
    long left = more ? 0 : running.stream().filter(CommandRun::isLeaving).count();
    return (int) Math.max(0, places + left - waiting.size());
  }

  /** How many are handled now. */
  public synchronized int inFlight() {
    return running.size();
  }

  /** Begins a run that was accepted as taken, or has it wait like one that was claimed. */
  void offer(CommandRun<T> run) {
    parts.news().claimed(run.claim().command(), run.claim().attempt());
    synchronized (this) {
      waiting.add(run);
    }
    startWaiting();
  }

  private synchronized void enqueue(List<CommandRun<T>> taken, boolean full) {
    taken.forEach(run -> (run.isLastChance() ? suspects : waiting).add(run));
    more = full;
  }

  /** As many as there are places; those that would outlast their lease are given back. */
  private void startWaiting() {
    List<CommandRun<T>> tooLate = new ArrayList<>();
    synchronized (this) {
      Optional<CommandRun<T>> next = next();
      while (next.isPresent()) {
        if (stopping || next.get().isTooLateToBegin() || !begin(next.get())) {
          tooLate.add(next.get());
        }
        next = next();
      }
    }
    release(tooLate);
  }

  /** The next one that may begin now: one that has to be alone when nothing else runs. */
  private Optional<CommandRun<T>> next() {
    alone = alone && !running.isEmpty();
    if (stopping || (!isOneAlone() && places > 0)) {
      return Optional.ofNullable(suspects.isEmpty() ? waiting.poll() : suspects.poll());
    }
    if (alone || suspects.isEmpty() || !running.isEmpty()) {
      return Optional.empty();
    }
    alone = true;
    return Optional.of(suspects.remove());
  }

  /** Whether a thread was found for it; its place is taken before that, so that a stop sees it. */
  private boolean begin(CommandRun<T> next) {
    places--;
    beganAt = parts.ticker().nanos();
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

  /** Handles a command and those that it goes on with, all on one place. */
  private void run(CommandRun<T> first) {
    Chain<T> chain = parts.chains().open();
    try {
      Optional<CommandRun<T>> next = Optional.of(first);
      while (next.isPresent()) {
        next = run(next.get(), chain);
      }
    } finally {
      parts.chains().close();
    }
  }

  /** Handles one, and frees its place, unless it returns what goes on there. */
  private Optional<CommandRun<T>> run(CommandRun<T> run, Chain<T> chain) {
    long began = parts.ticker().nanos();
    boolean ours = true;
    try {
      ours = parts.traces().handled(run);
    } catch (RuntimeException | Error failed) {
      LOG.warn(
          "{}: could not settle a command, trying again until its lease expires; command={} error={}",
          parts.options().name(),
          run.claim().id(),
          ErrorText.of(failed));
      synchronized (this) {
        unsettled.add(run);
      }
    }
    Optional<CommandRun<T>> next = chain.next();
    boolean goesOn = false;
    synchronized (this) {
      average(parts.ticker().since(began).toNanos() / 1e6);
      if (ours && next.isPresent() && !stopping && !next.get().isTooLateToBegin()) {
        running.remove(run);
        running.add(next.get());
        goesOn = true;
      }
    }
    if (goesOn) {
      next.ifPresent(
          taken -> parts.news().claimed(taken.claim().command(), taken.claim().attempt()));
      return next;
    }
    next.ifPresent(this::giveBack);
    synchronized (this) {
      running.remove(run);
    }
    if (ours) {
      freePlace();
    }
    return Optional.empty();
  }

  /** What this thread cannot go on with. */
  private void giveBack(CommandRun<T> run) {
    // A stop may have interrupted the run before it, which has committed.
    boolean unused = Thread.interrupted();
    release(List.of(run));
  }

  private void average(double millis) {
    averageMillis = averageMillis < 0 ? millis : averageMillis + WEIGHT * (millis - averageMillis);
  }

  /** Its thread does not come back: another may have its place. */
  private void givenUp(CommandRun<T> run) {
    synchronized (this) {
      running.remove(run);
    }
    freePlace();
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
      CommandRun.release(parts, runs);
    } catch (RuntimeException | Error failed) {
      // Told by whoever asked the store; the leases expire.
    }
  }

  /** Claims and handles on the caller's thread; how many. */
  public int runHere() {
    List<CommandRun<T>> taken = claim(parts.options().batch());
    for (CommandRun<T> run : taken) {
      boolean unused = parts.traces().handled(run);
    }
    return taken.size();
  }

  /**
   * After the loop was stopped: gives back what has not begun, and waits for what has; what is not
   * done by then is interrupted and rolls back.
   *
   * @return how many still ran
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
    long began = parts.ticker().nanos();
    try {
      while (!running.isEmpty() && parts.ticker().since(began).compareTo(atMost) < 0) {
        wait(DRAIN_STEP.toMillis());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
