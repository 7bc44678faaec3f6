package io.postroad.outbox;

import io.postroad.internal.loop.Ticker;
import io.postroad.internal.relay.RelayEngine;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.queue.WorkEngine;
import io.postroad.message.Message;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.outbox.sender.SendOutcome;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.hint.Threads;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles messages straight from an outbox, without a broker: CLAIM, HANDLE, SETTLE. The work and
 * the settlement of a message are one transaction, so its effect in the database happens once.
 *
 * <pre>{@code
 * OutboxWorkers<Connection> workers = OutboxWorkers.builder(store, handlers.work()).build();
 * workers.start();
 * }</pre>
 *
 * <p>Each destination is a stream with its own concurrency ({@link WorkerOptions#concurrencyOf}): a
 * stream with a backlog or with slow work delays no other. There is no order between messages; for
 * order per key use a relay over an ordered store.
 *
 * <p>Any number of workers on any number of nodes may work on one store. A message whose worker
 * crashed is claimed again when its lease has expired, which counts as an attempt. Safe to use from
 * many threads; starting twice, stopping twice and stopping before the start are legal. The store
 * stays open.
 */
public final class OutboxWorkers<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxWorkers.class);

  private final CompetingStore<T> store;
  private final Transactions<T> transactions;
  private final MessageWork<T> work;
  private final WorkerOptions options;
  private final RelayParts parts;
  private @Nullable RelayEngine running;

  private OutboxWorkers(Builder<T> from) {
    store = from.store;
    transactions = from.transactions == null ? store.transactions() : from.transactions;
    work = from.work;
    options = from.options;
    parts =
        RelayParts.of(
            new NoSender(),
            options.relay(),
            from.observer,
            body -> Threads.daemon(options.relay().name(), body),
            Ticker.system(),
            Tracing.guarded(from.tracing));
    if (work.destinations().isEmpty()) {
      throw new IllegalArgumentException(
          "workers '%s' have nothing to do: register a handler for at least one stream"
              .formatted(options.relay().name()));
    }
  }

  /** Returns a builder of workers that claim messages of this store and do this work. */
  public static <T> Builder<T> builder(CompetingStore<T> store, MessageWork<T> work) {
    return new Builder<>(store, work);
  }

  /** Starts the threads and returns. */
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    stop();
    running = newEngine();
    running.start();
    LOG.info(
        "{}: started; store={} streams={} concurrency={} lease={}",
        options.relay().name(),
        store.name(),
        work.destinations(),
        options.concurrency(),
        options.relay().leaseFor());
    parts.events().signal(new OutboxSignal.Started(options.relay().name()));
  }

  /**
   * Stops claiming messages, and waits up to {@link RelayOptions#drainFor()} for the work that
   * runs. Then interrupts the work that is left, which rolls back without counting as an attempt. A
   * worker repeats it later, with its effects outside of the database.
   */
  public synchronized void stop() {
    if (running == null) {
      return;
    }
    int unsettled = running.stop();
    running = null;
    LOG.info("{}: stopped; unsettled={}", options.relay().name(), unsettled);
    parts.events().signal(new OutboxSignal.Stopped(options.relay().name(), unsettled));
  }

  /** Stops the workers, like {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }

  /** Returns whether the workers are started and all their threads are alive. */
  public synchronized boolean isRunning() {
    return running != null && running.isAlive();
  }

  /** Returns how many messages are worked on here now; never blocks. */
  public long inFlight() {
    return parts.inFlight().sum();
  }

  /**
   * Runs one pass on the caller's thread: claims due messages and handles them. For tests, and for
   * applications with their own scheduler.
   *
   * @throws IllegalStateException while the workers run on their own threads
   */
  public synchronized RelayPass runOnce() {
    if (running != null) {
      throw new IllegalStateException(
          "workers '%s' run on their own threads: stop() them before runOnce()"
              .formatted(options.relay().name()));
    }
    return newEngine().runOnce();
  }

  private RelayEngine newEngine() {
    return new WorkEngine<>(store, transactions, work, options, parts);
  }

  /** Repeats {@link #runOnce()} until no message is due; returns the sum of all passes. */
  public RelayPass drain() {
    RelayPass all = runOnce();
    RelayPass last = all;
    while (last.claimed() > 0) {
      last = runOnce();
      all = all.plus(last);
    }
    return all;
  }

  /** A sender for the parts that workers share with relays; workers send nothing. */
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
    public List<CompletionStage<SendOutcome>> send(List<Message> messages) {
      throw new UnsupportedOperationException("workers send nothing");
    }

    @Override
    public void close() {}
  }

  /** Builds workers. Not thread-safe. */
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

    /** Traces the work on each message from its creation on; no tracing unless given. */
    public Builder<T> tracing(Tracing tracing) {
      this.tracing = tracing;
      return this;
    }

    /** Sets the transactions in which messages are handled; those of the store unless given. */
    public Builder<T> transactions(Transactions<T> transactions) {
      this.transactions = transactions;
      return this;
    }

    /** Returns the workers, not started. */
    public OutboxWorkers<T> build() {
      return new OutboxWorkers<>(this);
    }
  }
}
