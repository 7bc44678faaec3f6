package io.postroad.internal.relay.queue;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.relay.Announcer;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * CLAIM for workers: as many messages of each stream as it has free places, streams in turn, so
 * that a long backlog of one never holds up another.
 *
 * <p>Used by one thread; runs end on others.
 */
public final class WorkCycle<T> {
  private final CompetingStore<T> store;
  private final Transactions<T> transactions;
  private final MessageWork<T> work;
  private final WorkerOptions options;
  private final RelayParts parts;
  private final SettleRules rules;
  private final Announcer news;
  private final Ticker ticker;
  private final List<String> streams;
  private final Map<String, Set<WorkRun<T>>> running = new HashMap<>();
  private Set<String> paused = Set.of();
  private boolean looked;
  private long lookedAt;

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
    this.rules = parts.rules();
    this.news = parts.announcer();
    this.ticker = parts.ticker();
    this.streams = new ArrayList<>(work.destinations());
    streams.forEach(stream -> running.put(stream, ConcurrentHashMap.newKeySet()));
  }

  /** How many messages were taken, and whether more are probably due. */
  public record Taken(int messages, boolean full) {}

  /** Takes what is due where there is room, and hands each message to {@code start}. */
  public Taken takeDue(Consumer<Runnable> start) {
    look();
    running.values().forEach(runs -> runs.forEach(WorkRun::interruptIfLate));
    int taken = 0;
    boolean full = false;
    // Who was first is last next time.
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

  /** Stops what runs. */
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
    List<Claim> claims = news.ask("claim", () -> store.claim(request));
    news.signal(new OutboxSignal.Polled(relay.name(), claims.size(), ticker.since(askedAt)));
    claims.forEach(news::claimed);
    return claims.stream()
        .map(claim -> new WorkRun<>(store, transactions, work, parts, rules, claim, askedAt))
        .toList();
  }

  /** One that cannot be started must not keep its place; its lease expires. */
  private void start(Consumer<Runnable> start, String stream, WorkRun<T> run) {
    began(stream, run);
    try {
      start.accept(() -> run(stream, run));
    } catch (RuntimeException | Error notStarted) {
      ended(stream, run);
      throw notStarted;
    }
  }

  private void run(String stream, WorkRun<T> run) {
    try {
      done.accept(run.run());
    } finally {
      ended(stream, run);
    }
  }

  private void began(String stream, WorkRun<T> run) {
    running(stream).add(run);
    parts.inFlight().increment();
  }

  private void ended(String stream, WorkRun<T> run) {
    if (running(stream).remove(run)) {
      parts.inFlight().decrement();
    }
  }

  private Consumer<RelayPass> done = pass -> {};

  /** Hears what became of each message, on the thread that worked on it. */
  public void whenDone(Consumer<RelayPass> listener) {
    done = listener;
  }

  /** Now and then, and at first: what people have paused is not taken. */
  private void look() {
    if (looked && ticker.since(lookedAt).compareTo(parts.options().sweepEvery()) < 0) {
      return;
    }
    Set<String> names = new HashSet<>();
    for (Pause pause : news.ask("pauses", () -> store.pauses().list())) {
      names.add(pause.destination());
    }
    paused = names;
    looked = true;
    lookedAt = ticker.nanos();
  }
}
