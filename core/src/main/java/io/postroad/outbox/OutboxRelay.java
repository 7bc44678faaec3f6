package io.postroad.outbox;

import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.relay.RelayEngine;
import io.postroad.internal.relay.RelayParts;
import io.postroad.internal.relay.lane.OrderedEngine;
import io.postroad.internal.relay.queue.CompetingEngine;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.CompetingStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.trace.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves committed messages to their destinations: CLAIM, DISPATCH, SETTLE, repeatedly.
 *
 * <pre>{@code
 * OutboxRelay relay = OutboxRelay.builder(store, sender).build();
 * relay.start();
 * ...
 * relay.stop(); // stops claiming, waits for sends in flight, settles them
 * }</pre>
 *
 * <p>Any number of relays on any number of nodes may work on one store. On an {@link OrderedStore}
 * ({@code OrderedEngine}) one relay owns a lane and keeps the order of its keys, while the others
 * stand by. On a {@link CompetingStore} ({@code CompetingEngine}) any relay claims any message,
 * without order. Delivery is at least once. After a crash, messages in flight are sent again when
 * the lease has expired. The caller closes store and sender; the relay leaves them open.
 *
 * <p>Safe to use from many threads. Starting twice, stopping twice and stopping before the start
 * are legal and do nothing; a stopped relay may be started again.
 */
public final class OutboxRelay implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
  private static final Duration TOLERATED_SKEW = Duration.ofSeconds(5);

  private final OutboxStore<?> store;
  private final MessageSender sender;
  private final RelayOptions options;
  private final RelayParts parts;
  private @Nullable RelayEngine running;

  private OutboxRelay(Builder from) {
    store = from.store;
    sender = from.sender;
    options = from.options;
    parts =
        RelayParts.of(
            sender,
            options,
            from.observer,
            from.threads,
            Ticker.system(),
            Tracing.guarded(from.tracing));
    if (store instanceof CompetingStore<?>) {
      options.checkClaims(sender);
    }
    // Refuses a store of neither kind here, and not when messages wait.
    RelayEngine unused = newEngine();
  }

  /** Returns a builder of a relay from this store to this sender. */
  public static Builder builder(OutboxStore<?> store, MessageSender sender) {
    return new Builder(store, sender);
  }

  /** Starts the threads and returns. */
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    stop();
    reportClockSkew();
    running = newEngine();
    running.start();
    LOG.info(
        "{}: started; store={} sender={} workers={} batch={}..{} lease={}",
        options.name(),
        store.name(),
        sender.name(),
        options.workers(),
        options.batch(),
        options.maxBatch(),
        options.leaseFor());
    parts.events().signal(new OutboxSignal.Started(options.name()));
  }

  /**
   * Stops claiming, waits up to {@link RelayOptions#drainFor()} for sends in flight, and settles
   * them. A relay sends messages without an outcome again after their lease.
   */
  public synchronized void stop() {
    if (running == null) {
      return;
    }
    int unsettled = running.stop();
    running = null;
    LOG.info("{}: stopped; unsettled={}", options.name(), unsettled);
    parts.events().signal(new OutboxSignal.Stopped(options.name(), unsettled));
  }

  /** Stops the relay, like {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }

  /** Returns whether the relay is started and all its threads are alive; an interrupt ends them. */
  public synchronized boolean isRunning() {
    return running != null && running.isAlive();
  }

  /** Returns how many messages the sender has that have no outcome yet; never blocks. */
  public long inFlight() {
    return parts.inFlight().sum();
  }

  /**
   * Runs one pass on the caller's thread: claims a batch, sends it, waits for the outcomes and
   * settles them. For tests, and for applications with their own scheduler.
   *
   * @throws IllegalStateException while the relay is running on its own threads
   */
  public synchronized RelayPass runOnce() {
    if (running != null) {
      throw new IllegalStateException(
          "relay '%s' is running on its own threads: stop() it before runOnce()"
              .formatted(options.name()));
    }
    return newEngine().runOnce();
  }

  /**
   * Repeats {@link #runOnce()} until no message is due, or none that is due can be sent; returns
   * the sum of all passes.
   */
  public RelayPass drain() {
    RelayPass all = runOnce();
    RelayPass last = all;
    while (last.claimed() > 0 && last.settledSome()) {
      last = runOnce();
      all = all.plus(last);
    }
    return all;
  }

  private RelayEngine newEngine() {
    if (store instanceof OrderedStore<?> ordered) {
      return new OrderedEngine(ordered, parts);
    }
    if (store instanceof CompetingStore<?> competing) {
      return new CompetingEngine(competing, parts);
    }
    throw new IllegalArgumentException(
        "store '%s' (%s) is neither an OrderedStore nor a CompetingStore: a relay cannot take its"
                .formatted(store.name(), store.getClass().getName())
            + " messages");
  }

  private void reportClockSkew() {
    try {
      Instant here = InstantSource.system().instant();
      Duration ahead = Duration.between(store.now(), here);
      if (ahead.abs().compareTo(TOLERATED_SKEW) > 0) {
        LOG.warn(
            "{}: this node's clock is {} ahead of the database's; leases and due times follow the"
                + " database, but times in logs will not match",
            options.name(),
            ahead);
        parts.events().signal(new OutboxSignal.ClockSkewed(options.name(), ahead));
      }
    } catch (RuntimeException unreachable) {
      LOG.warn(
          "{}: could not read the database's clock, starting without the check; error={}",
          options.name(),
          ErrorText.of(unreachable));
    }
  }

  /** Builds a relay. Not thread-safe. */
  public static final class Builder {
    private final OutboxStore<?> store;
    private final MessageSender sender;
    private RelayOptions options = RelayOptions.defaults();
    private OutboxObserver observer = OutboxObserver.none();
    private ThreadFactory threads = Builder::daemon;
    private Tracing tracing = Tracing.none();

    private Builder(OutboxStore<?> store, MessageSender sender) {
      this.store = store;
      this.sender = sender;
    }

    public Builder options(RelayOptions options) {
      this.options = options;
      return this;
    }

    public Builder observer(OutboxObserver observer) {
      this.observer = observer;
      return this;
    }

    /** Traces each send from hand-over to outcome; no tracing unless given. */
    public Builder tracing(Tracing tracing) {
      this.tracing = tracing;
      return this;
    }

    /** Makes the relay's threads; daemon threads unless given. */
    public Builder threads(ThreadFactory threads) {
      this.threads = threads;
      return this;
    }

    /**
     * Returns the relay, not started.
     *
     * @throws IllegalArgumentException when the lease of a claim of a competing store is not longer
     *     than the sender's timeout
     */
    public OutboxRelay build() {
      return new OutboxRelay(this);
    }

    private static Thread daemon(Runnable work) {
      Thread thread = new Thread(work);
      thread.setDaemon(true);
      return thread;
    }
  }
}
