package io.postroad.outbox;

import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.internal.relay.ObserverGuard;
import io.postroad.internal.relay.Purger;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.queue.WorkCycle;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.WakeUps;
import io.postroad.spi.hint.Threads;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers that take messages straight from an outbox, without a broker: CLAIM, HANDLE, SETTLE. The
 * work and the settlement of a message are one transaction, so its effect in the database happens
 * once.
 *
 * <pre>{@code
 * OutboxWorkers<Connection> workers = OutboxWorkers.builder(store, handlers.work()).build();
 * workers.start();
 * }</pre>
 *
 * <p>Each destination is a stream with places of its own ({@link WorkerOptions#concurrencyOf}): a
 * stream with a backlog or with slow work holds up no other. There is no order between messages;
 * for order per key use a relay over an ordered store.
 *
 * <p>Any number of workers on any number of nodes may work on one store. A message whose worker
 * crashed is taken again when its lease has expired, which counts as an attempt. Safe to use from
 * many threads; starting twice, stopping twice and stopping before the start are legal. The store
 * stays open.
 */
public final class OutboxWorkers<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxWorkers.class);
  private static final Duration DRAIN_STEP = Duration.ofMillis(50);

  private final CompetingStore<T> store;
  private final Transactions<T> transactions;
  private final MessageWork<T> work;
  private final WorkerOptions options;
  private final RelayParts parts;
  private @Nullable Running running;

  private OutboxWorkers(Builder<T> from) {
    store = from.store;
    transactions = from.transactions == null ? store.transactions() : from.transactions;
    work = from.work;
    options = from.options;
    parts =
        RelayParts.of(
            new NoSender(),
            options.relay(),
            ObserverGuard.of(from.observer),
            body -> Threads.daemon(options.relay().name(), body),
            Ticker.system(),
            Tracing.guarded(from.tracing));
    if (work.destinations().isEmpty()) {
      throw new IllegalArgumentException(
          "workers '%s' have nothing to do: register a handler for at least one stream"
              .formatted(options.relay().name()));
    }
  }

  /** Workers that take messages of this store and do this work. */
  public static <T> Builder<T> builder(CompetingStore<T> store, MessageWork<T> work) {
    return new Builder<>(store, work);
  }

  /** Starts the threads and returns. */
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    stop();
    running = new Running();
    running.start();
    LOG.info(
        "{}: started; store={} streams={} concurrency={} lease={}",
        options.relay().name(),
        store.name(),
        work.destinations(),
        options.concurrency(),
        options.relay().leaseFor());
    parts.observer().on(new OutboxSignal.Started(options.relay().name()));
  }

  /**
   * Stops taking messages, and waits up to {@link RelayOptions#drainFor()} for the work that runs.
   * What is not done by then is interrupted and rolls back, which is not counted as an attempt, and
   * is done by some worker later; what it did outside of the database is then done again.
   */
  public synchronized void stop() {
    if (running == null) {
      return;
    }
    int unsettled = running.stop();
    running = null;
    LOG.info("{}: stopped; unsettled={}", options.relay().name(), unsettled);
    parts.observer().on(new OutboxSignal.Stopped(options.relay().name(), unsettled));
  }

  /** {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }

  /** Whether it was started and all its threads are alive. */
  public synchronized boolean isRunning() {
    return running != null && running.isAlive();
  }

  /** How many messages are worked on here now; never blocks. */
  public long inFlight() {
    return parts.inFlight().sum();
  }

  /**
   * One pass on the caller's thread: takes what is due and does it. For tests, and for those who
   * bring their own scheduler.
   *
   * @throws IllegalStateException while the workers run on their own threads
   */
  public synchronized RelayPass runOnce() {
    if (running != null) {
      throw new IllegalStateException(
          "workers '%s' run on their own threads: stop() them before runOnce()"
              .formatted(options.relay().name()));
    }
    WorkCycle<T> cycle = new WorkCycle<>(store, transactions, work, options, parts);
    List<RelayPass> passes = new ArrayList<>();
    cycle.whenDone(passes::add);
    WorkCycle.Taken taken = cycle.takeDue(Runnable::run);
    RelayPass all = RelayPass.NOTHING.plusClaimed(taken.messages(), taken.full());
    for (RelayPass pass : passes) {
      all = all.plus(pass);
    }
    return all;
  }

  /** {@link #runOnce()} until nothing is due; all passes together. */
  public RelayPass drain() {
    RelayPass all = runOnce();
    RelayPass last = all;
    while (last.claimed() > 0) {
      last = runOnce();
      all = all.plus(last);
    }
    return all;
  }

  /** The threads of started workers: one that takes, and one for each message that is worked on. */
  private final class Running {
    private final Waiter waiter = new Waiter();
    private final AtomicInteger number = new AtomicInteger();
    private final ExecutorService threads =
        Executors.newCachedThreadPool(
            body ->
                Threads.daemon(options.relay().name() + "-work-" + number.incrementAndGet(), body));
    private final WorkCycle<T> cycle = new WorkCycle<>(store, transactions, work, options, parts);
    private final Pace pollPace = parts.pollPace();
    private final List<BackgroundLoop> loops = new ArrayList<>();
    private WakeUps.Subscription wakeUps = () -> {};

    void start() {
      loops.add(parts.loop("taker", this::takeDue, waiter));
      loops.add(
          parts.loop("purger", new Purger(store, parts.options(), parts.observer()), new Waiter()));
      wakeUps = store.wakeUps().subscribe(waiter::signal);
      loops.forEach(BackgroundLoop::start);
    }

    private Duration takeDue() {
      WorkCycle.Taken taken = cycle.takeDue(run -> threads.execute(() -> guarded(run)));
      if (taken.messages() > 0) {
        pollPace.reset();
      }
      return pollPace.next();
    }

    /** A place is free: there may be more for it. */
    private void guarded(Runnable run) {
      try {
        run.run();
      } catch (RuntimeException | Error failed) {
        LOG.warn(
            "{}: could not settle a message, its lease will expire; error={}",
            options.relay().name(),
            ErrorText.of(failed));
      } finally {
        waiter.signal();
      }
    }

    boolean isAlive() {
      return loops.stream().noneMatch(BackgroundLoop::hasEnded);
    }

    int stop() {
      wakeUps.close();
      BackgroundLoop.stopAll(loops, parts.stopWithin());
      awaitRuns();
      cycle.stop();
      threads.shutdown();
      try {
        if (!threads.awaitTermination(RelayParts.GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
          LOG.warn("{}: work did not end after an interrupt, leaving it", options.relay().name());
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      return cycle.unsettled();
    }

    private void awaitRuns() {
      long began = parts.ticker().nanos();
      while (cycle.unsettled() > 0
          && parts.ticker().since(began).compareTo(parts.options().drainFor()) < 0
          && !Thread.currentThread().isInterrupted()) {
        waiter.await(DRAIN_STEP);
      }
    }
  }

  /** Workers share the settings of relays, and send nothing. */
  private static final class NoSender implements MessageSender {
    @Override
    public String name() {
      return "workers";
    }

    @Override
    public Duration timeout() {
      return Duration.ZERO;
    }

    @Override
    public List<java.util.concurrent.CompletionStage<SendOutcome>> send(
        List<io.postroad.message.Message> messages) {
      throw new UnsupportedOperationException("workers send nothing");
    }

    @Override
    public void close() {}
  }

  /** Collects what workers need. Not thread-safe. */
  public static final class Builder<T> {
    private final CompetingStore<T> store;
    private final MessageWork<T> work;
    private WorkerOptions options = WorkerOptions.defaults();
    private OutboxObserver observer = OutboxObserver.none();
    private Tracing tracing = Tracing.none();
    private @Nullable Transactions<T> transactions;

    private Builder(CompetingStore<T> store, MessageWork<T> work) {
      this.store = store;
      this.work = work;
    }

    public Builder<T> options(WorkerOptions options) {
      this.options = options;
      return this;
    }

    public Builder<T> observer(OutboxObserver observer) {
      this.observer = observer;
      return this;
    }

    /** Follows the work on each message from its creation on; nothing unless given. */
    public Builder<T> tracing(Tracing tracing) {
      this.tracing = tracing;
      return this;
    }

    /** The units of work in which messages are handled; those of the store unless given. */
    public Builder<T> transactions(Transactions<T> transactions) {
      this.transactions = transactions;
      return this;
    }

    /** The workers, not started. */
    public OutboxWorkers<T> build() {
      return new OutboxWorkers<>(this);
    }
  }
}
