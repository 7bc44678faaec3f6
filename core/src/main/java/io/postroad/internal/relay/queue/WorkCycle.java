package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.relay.RelayEvents;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.SettleRules;
import io.postroad.outbox.MessageWork;
import io.postroad.outbox.OutboxSignal;
import io.postroad.outbox.RelayOptions;
import io.postroad.outbox.RelayPass;
import io.postroad.outbox.WorkerOptions;
import io.postroad.spi.Claim;
import io.postroad.spi.ClaimRequest;
import io.postroad.spi.CompetingStore;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Claims messages for workers: as many of each stream as may run at once, streams in turn, so that
 * a long backlog of one never delays another.
 *
 * <p>Used by one thread; runs end on others.
 */
public final class WorkCycle<T> {
  final CompetingStore<T> store;
  final Transactions<T> transactions;
  final MessageWork<T> work;
  final RelayParts parts;
  final SettleRules rules;
  private final WorkerOptions options;
  private final RelayEvents events;
  private final Ticker ticker;
  private final List<String> streams;
  private final Map<String, Set<WorkRun<T>>> running = new HashMap<>();
  private Consumer<RelayPass> whenDone = pass -> {};
  private Set<String> paused = Set.of();
  private boolean pausesRead;
  private long pausesReadAt;

  public WorkCycle(
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
    this.events = parts.events();
    this.ticker = parts.ticker();
    this.streams = new ArrayList<>(work.destinations());
    streams.forEach(stream -> running.put(stream, ConcurrentHashMap.newKeySet()));
  }

  /** The number of messages that were taken, and whether more are probably due. */
  public record Taken(int messages, boolean full) {}

  /** Claims due messages where a stream has room, and hands the run of each to {@code start}. */
  public Taken takeDue(Consumer<Runnable> start) {
    readPauses();
    running.values().forEach(runs -> runs.forEach(WorkRun::interruptIfLate));
    int taken = 0;
    boolean full = false;
    // The stream that was first is last next time.
    Collections.rotate(streams, 1);
    for (String stream : streams) {
      Set<WorkRun<T>> runs = running(stream);
      int free = options.concurrencyOf(stream) - runs.size();
      if (free > 0 && !paused.contains(stream)) {
        List<WorkRun<T>> claimed = claim(stream, free);
        claimed.forEach(run -> start(start, stream, run));
        taken += claimed.size();
        full |= claimed.size() == free;
      }
    }
    return new Taken(taken, full);
  }

  /** Interrupts the work that runs. */
  public void stop() {
    running.values().forEach(runs -> runs.forEach(WorkRun::stop));
  }

  public int unsettled() {
    return running.values().stream().mapToInt(Set::size).sum();
  }

  private Set<WorkRun<T>> running(String stream) {
    return running.getOrDefault(stream, Set.of());
  }

  private List<WorkRun<T>> claim(String stream, int limit) {
    RelayOptions relay = parts.options();
    long askedAt = ticker.nanos();
    ClaimRequest request = new ClaimRequest(relay.name(), limit, relay.leaseFor()).of(stream);
    List<Claim> claims = events.ask("claim", () -> store.claim(request));
    events.signal(new OutboxSignal.Polled(relay.name(), claims.size(), ticker.since(askedAt)));
    claims.forEach(events::claimed);
    return claims.stream().map(claim -> new WorkRun<>(this, claim, askedAt)).toList();
  }

  /** Starts a run. One that cannot be started makes room again; its lease expires. */
  private void start(Consumer<Runnable> start, String stream, WorkRun<T> run) {
    running(stream).add(run);
    parts.inFlight().increment();
    try {
      start.accept(() -> run(stream, run));
    } catch (RuntimeException | Error notStarted) {
      ended(stream, run);
      throw notStarted;
    }
  }

  private void run(String stream, WorkRun<T> run) {
    try {
      whenDone.accept(run.run());
    } finally {
      ended(stream, run);
    }
  }

  private void ended(String stream, WorkRun<T> run) {
    if (running(stream).remove(run)) {
      parts.inFlight().decrement();
    }
  }

  /** Sets the listener that gets the result of each message, on the thread that worked on it. */
  public void whenDone(Consumer<RelayPass> listener) {
    whenDone = listener;
  }

  /** Reads the pauses once per sweep, and at first; paused streams are not claimed. */
  private void readPauses() {
    if (pausesRead && ticker.since(pausesReadAt).compareTo(parts.options().sweepEvery()) < 0) {
      return;
    }
    paused =
        events.ask("pauses", () -> store.pauses().list()).stream()
            .map(Pause::destination)
            .collect(Collectors.toSet());
    pausesRead = true;
    pausesReadAt = ticker.nanos();
  }
}
