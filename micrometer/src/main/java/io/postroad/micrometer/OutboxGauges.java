package io.postroad.micrometer;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Waiter;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.OutboxStore;
import io.postroad.store.Backlog;
import io.postroad.store.BlockedDestination;
import io.postroad.store.BlockedSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gauges of an outbox: backlog, lag, dead letters, parked keys, messages of closed
 * destinations.
 *
 * <pre>{@code
 * OutboxGauges gauges = OutboxGauges.of(registry, "orders", store);
 * gauges.start(Duration.ofSeconds(10));
 * }</pre>
 *
 * <p>A scrape reads numbers in memory and never waits for the database: a thread of this class
 * polls the store, at a cost that does not grow with the number of messages. While the database
 * cannot be reached, and before the first poll, all gauges are NaN, which no dashboard takes for
 * zero. Every node has the same numbers, so take the highest of them, not their sum.
 *
 * <p>Safe to use from many threads. Starting and stopping twice is legal.
 */
public final class OutboxGauges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxGauges.class);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  /** The result of a poll. */
  private record Look(Backlog backlog, BlockedSummary parked, long aside) {}

  private final OutboxStore<?> store;
  private final String outbox;
  private final MeterBook book;
  private final List<Meter> gauges = new ArrayList<>();
  private volatile @Nullable Look latest;
  private final AtomicBoolean inTrouble = new AtomicBoolean();
  private @Nullable BackgroundLoop loop;

  private OutboxGauges(MeterRegistry registry, String outbox, OutboxStore<?> store) {
    this.store = store;
    this.outbox = outbox;
    this.book = new MeterBook(registry);
    gauge(PostroadMeter.OUTBOX_PENDING, look -> look.backlog().pending());
    gauge(PostroadMeter.OUTBOX_LAG, look -> look.backlog().lag().toNanos() / 1e9);
    gauge(PostroadMeter.OUTBOX_DEAD_LETTERS, look -> look.backlog().dead());
    gauge(PostroadMeter.OUTBOX_KEYS_PARKED, look -> look.parked().keys());
    gauge(PostroadMeter.OUTBOX_MESSAGES_PARKED, look -> look.parked().messages());
    gauge(PostroadMeter.OUTBOX_SET_ASIDE, look -> look.aside());
  }

  /**
   * Registers the gauges of this store, which are NaN until {@link #start} or {@link #look}.
   *
   * @param outbox the value of the tag {@code outbox}, as for {@link OutboxMeters#of}
   */
  public static OutboxGauges of(MeterRegistry registry, String outbox, OutboxStore<?> store) {
    return new OutboxGauges(registry, outbox, store);
  }

  /** Polls the store now and then in intervals, on a daemon thread; 10 s is a good choice. */
  public synchronized void start(Duration every) {
    if (every.isNegative() || every.isZero()) {
      throw new IllegalArgumentException(
          "OutboxGauges.start must get a positive time, got " + every);
    }
    if (loop == null) {
      loop =
          new BackgroundLoop(
              outbox + "-gauges",
              () -> {
                look();
                return every;
              },
              new Waiter(),
              Pace.ofTrouble(),
              OutboxGauges::daemon);
      loop.start();
    }
  }

  /**
   * Polls the store on the caller's thread. Never fails: an unknown number is NaN. For tests, and
   * for applications with their own scheduler.
   */
  public void look() {
    try {
      latest =
          new Look(
              store.backlog(),
              store instanceof OrderedStore<?> ordered
                  ? ordered.blockedKeys().summary()
                  : BlockedSummary.NONE,
              store.blocked().stream().mapToLong(BlockedDestination::messages).sum());
      tellTrouble(null);
    } catch (RuntimeException | Error failed) {
      latest = null;
      tellTrouble(failed);
    }
  }

  /** Logs a failure once, until a poll succeeds. */
  private void tellTrouble(@Nullable Throwable failed) {
    boolean before = inTrouble.getAndSet(failed != null);
    if (failed != null && !before) {
      LOG.warn(
          "{}: the backlog cannot be read, its gauges are NaN until it can; error={}",
          outbox,
          ErrorText.of(failed));
    } else if (failed == null && before) {
      LOG.info("{}: the backlog can be read again", outbox);
    }
  }

  private void gauge(PostroadMeter meter, ToDoubleFunction<Look> value) {
    gauges.add(
        book.gauge(
            meter,
            () -> {
              Look look = latest;
              return look == null ? Double.NaN : value.applyAsDouble(look);
            },
            outbox));
  }

  /** Stops polling and removes the gauges from the registry. */
  @Override
  public synchronized void close() {
    if (loop != null) {
      BackgroundLoop.stopAll(List.of(loop), STOP_WITHIN);
      loop = null;
    }
    gauges.forEach(book::remove);
    gauges.clear();
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    return thread;
  }
}
