package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.Purger;
import io.postroad.internal.relay.RelayEngine;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.SettleRules;
import io.postroad.outbox.MessageWork;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.OutboxWorkers;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.WorkerOptions;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.Threads;
import io.postroad.store.Pause;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs workers that handle messages without a broker: one thread claims, and each message in work
 * has a thread. Claims as many messages of each stream as may run at once, streams in turn, so that
 * a long backlog of one never delays another.
 */
public final class WorkEngine<T> implements RelayEngine {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxWorkers.class);
  private static final Duration DRAIN_STEP = Duration.ofMillis(50);

  final CompetingStore<T> store;
  final Transactions<T> transactions;
  final MessageWork<T> work;
  final RelayParts parts;
  final SettleRules rules;
  private final WorkerOptions options;
  private final Ticker ticker;
  private final Waiter waiter = new Waiter();
  private final Pace pollPace;
  private final AtomicInteger threadNumber = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool(this::newThread);
  private final List<BackgroundLoop> loops = new ArrayList<>();
  private final List<String> streams;
  private final Map<String, Set<WorkRun<T>>> running = new HashMap<>();
  private WakeUps.Subscription wakeUps = () -> {};
  private Set<String> paused = Set.of();
  private boolean pausesRead;
  private long pausesReadAt;

  public WorkEngine(
      CompetingStore<T> store,
      Transactions<T> transactions,
      MessageWork<T> work,
      WorkerOptions options,
      RelayParts parts) {
    this.store = store;
    this.transactions = transactions;
    this.work = work;
    this.options = options;
    this.parts = parts;
    this.rules = parts.rules(Duration.ZERO);
    this.ticker = parts.ticker();
    this.pollPace = parts.pollPace();
    this.streams = new ArrayList<>(work.destinations());
    streams.forEach(stream -> running.put(stream, ConcurrentHashMap.newKeySet()));
  }

  private Thread newThread(Runnable body) {
    return Threads.daemon(parts.options().name() + "-work-" + threadNumber.incrementAndGet(), body);
  }

  @Override
  public void start() {
    loops.add(parts.loop("taker", this::claimDue, waiter));
    loops.add(parts.loop("purger", new Purger(store, parts), new Waiter()));
    wakeUps = store.wakeUps().subscribe(waiter::signal);
    loops.forEach(BackgroundLoop::start);
  }

  @Override
  public boolean isAlive() {
    return loops.stream().noneMatch(BackgroundLoop::hasEnded);
  }

  @Override
  public int stop() {
    wakeUps.close();
    BackgroundLoop.stopAll(loops, parts.stopWithin());
    awaitRuns();
    running.values().forEach(runs -> runs.forEach(WorkRun::stop));
    threads.shutdown();
    try {
      if (!threads.awaitTermination(RelayParts.GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("{}: work did not end after an interrupt, leaving it", parts.options().name());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return unsettled();
  }

  private void awaitRuns() {
    long began = ticker.nanos();
    while (unsettled() > 0
        && ticker.since(began).compareTo(parts.options().drainFor()) < 0
        && !Thread.currentThread().isInterrupted()) {
      waiter.await(DRAIN_STEP);
    }
  }

  private int unsettled() {
    return running.values().stream().mapToInt(Set::size).sum();
  }

  @Override
  public RelayPass runOnce() {
    List<RelayPass> passes = new ArrayList<>();
    RelayPass all = claimDue(run -> passes.add(run.get()));
    for (RelayPass pass : passes) {
      all = all.plus(pass);
    }
    return all;
  }

  private Duration claimDue() {
    RelayPass claimed = claimDue(run -> threads.execute(() -> guarded(run)));
    if (claimed.didSomething()) {
      pollPace.reset();
    }
    return pollPace.next();
  }

  /** Runs the work of a message, then wakes the thread that claims: there is room for another. */
  private void guarded(Supplier<RelayPass> run) {
    try {
      RelayPass unused = run.get();
    } catch (RuntimeException | Error failed) {
      LOG.warn(
          "{}: could not settle a message, its lease will expire; error={}",
          parts.options().name(),
          ErrorText.of(failed));
    } finally {
      waiter.signal();
    }
  }

  /** Claims due messages where a stream has room, and hands the run of each to {@code start}. */
  private RelayPass claimDue(Consumer<Supplier<RelayPass>> start) {
    readPauses();
    running.values().forEach(runs -> runs.forEach(WorkRun::interruptIfLate));
    RelayPass all = RelayPass.NOTHING;
    // The stream that was first is last next time.
    Collections.rotate(streams, 1);
    for (String stream : streams) {
      Set<WorkRun<T>> runs = running.getOrDefault(stream, Set.of());
      int free = options.concurrencyOf(stream) - runs.size();
      if (free > 0 && !paused.contains(stream)) {
        List<WorkRun<T>> claimed = claim(stream, free);
        claimed.forEach(run -> start(start, runs, run));
        all = all.plusClaimed(claimed.size(), claimed.size() == free);
      }
    }
    return all;
  }

  private List<WorkRun<T>> claim(String stream, int limit) {
    RelayOptions relay = parts.options();
    long askedAt = ticker.nanos();
    ClaimRequest request = new ClaimRequest(relay.name(), limit, relay.leaseFor()).of(stream);
    List<Claim> claims = parts.events().ask("claim", () -> store.claim(request));
    parts
        .events()
        .signal(new OutboxSignal.Polled(relay.name(), claims.size(), ticker.since(askedAt)));
    claims.forEach(parts.events()::claimed);
    return claims.stream().map(claim -> new WorkRun<>(this, claim, askedAt)).toList();
  }

  /** Starts a run. One that cannot be started makes room again; its lease expires. */
  private void start(Consumer<Supplier<RelayPass>> start, Set<WorkRun<T>> runs, WorkRun<T> run) {
    runs.add(run);
    parts.inFlight().increment();
    try {
      start.accept(
          () -> {
            try {
              return run.run();
            } finally {
              ended(runs, run);
            }
          });
    } catch (RuntimeException | Error notStarted) {
      ended(runs, run);
      throw notStarted;
    }
  }

  private void ended(Set<WorkRun<T>> runs, WorkRun<T> run) {
    if (runs.remove(run)) {
      parts.inFlight().decrement();
    }
  }

  /** Reads the pauses once per sweep, and at first; paused streams are not claimed. */
  private void readPauses() {
    if (pausesRead && ticker.since(pausesReadAt).compareTo(parts.options().sweepEvery()) < 0) {
      return;
    }
    paused =
        parts.events().ask("pauses", () -> store.pauses().list()).stream()
            .map(Pause::destination)
            .collect(Collectors.toSet());
    pausesRead = true;
    pausesReadAt = ticker.nanos();
  }
}
