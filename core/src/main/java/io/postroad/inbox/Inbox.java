package io.postroad.inbox;

import io.postroad.internal.inbox.Execution;
import io.postroad.internal.inbox.HandlerSender;
import io.postroad.internal.inbox.HandlerWatch;
import io.postroad.internal.inbox.Housekeeper;
import io.postroad.internal.inbox.LocalDelivery;
import io.postroad.internal.inbox.News;
import io.postroad.internal.inbox.Reception;
import io.postroad.internal.inbox.RetryDelivery;
import io.postroad.internal.loop.BackgroundLoop;
import io.postroad.internal.loop.ErrorText;
import io.postroad.internal.loop.Pace;
import io.postroad.internal.loop.Ticker;
import io.postroad.internal.loop.Waiter;
import io.postroad.outbox.OutboxObserver;
import io.postroad.outbox.OutboxRelay;
import io.postroad.outbox.sender.MessageSender;
import io.postroad.spi.InboxStore;
import io.postroad.spi.OrderedStore;
import io.postroad.spi.hint.Threads;
import io.postroad.trace.Tracing;
import io.postroad.transaction.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has messages handled that come in: each once per handler, those of a key in order, and those that
 * fail again later without holding up the others.
 *
 * <pre>{@code
 * Inbox<Connection> inbox = Inbox.builder(inboxStore, handlers).retries(retryStore).build();
 * inbox.start();
 * KafkaReceiver receiver = KafkaReceiver.create(options, inbox);
 * receiver.start();
 * }</pre>
 *
 * <p>A message that fails moves to the <em>retry line</em> of its handler: an outbox of its own, in
 * the same database, whose relay hands its messages to the handlers again, in order, with backoff,
 * attempts and dead letters. Whatever can be done with dead letters and parked keys of an outbox
 * can be done there. Messages of its key that come later join the line behind it.
 *
 * <p>Safe to use from many threads. Starting and stopping twice is legal. Stores stay open when it
 * is stopped: whoever made them closes them. A crash at any point leaves a message handled, in the
 * retry line, or not acknowledged, so that it comes again.
 *
 * @param <T> what a transaction of the database is
 */
public final class Inbox<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final Handlers<T> handlers;
  private final InboxOptions options;
  private final News news;
  private final HandlerWatch watch;
  private final Execution<T> execution;
  private final Housekeeper<T> housekeeper;
  private final @Nullable Reception<T> reception;
  private final @Nullable HandlerSender retrySender;
  private final @Nullable OutboxRelay retryRelay;
  private final AtomicBoolean inTrouble = new AtomicBoolean();
  private @Nullable HandlerSender localSender;
  private @Nullable BackgroundLoop housekeeping;

  private Inbox(Builder<T> from) {
    handlers = from.handlers;
    options = from.options;
    Transactions<T> transactions =
        from.transactions == null ? from.store.transactions() : from.transactions;
    news = new News(options.name(), from.observer, options.maxErrorLength());
    watch = new HandlerWatch(options.handlerTimeout());
    execution = new Execution<>(from.store, transactions, watch, Tracing.guarded(from.tracing));
    housekeeper = new Housekeeper<>(from.store, from.retries, transactions, options, news);
    if (from.retries == null) {
      reception = null;
      retrySender = null;
      retryRelay = null;
    } else {
      reception =
          new Reception<>(
              handlers.registrations(),
              execution,
              from.store,
              from.retries,
              transactions,
              options.unhandled(),
              news);
      retrySender =
          new HandlerSender(
              "retry",
              new RetryDelivery<>(handlers.registrations(), execution, from.store, news),
              options,
              Ticker.system());
      retryRelay =
          OutboxRelay.builder(from.retries, retrySender)
              .options(options.retries())
              .observer(from.retryObserver)
              .build();
    }
  }

  /** An inbox over this store, for these handlers. */
  public static <T> Builder<T> builder(InboxStore<T> store, Handlers<T> handlers) {
    return new Builder<>(store, handlers);
  }

  public Handlers<T> handlers() {
    return handlers;
  }

  public InboxOptions options() {
    return options;
  }

  /**
   * Deals with a message: when this returns true, it was handled, was handled before, or waits in
   * the retry line, and may be acknowledged. While the database fails it tries again by itself, for
   * as long as {@code goOn} says.
   *
   * <p>Give it the messages of one key one after the other, in the order in which they came.
   *
   * @return false when {@code goOn} or an interrupt ended it before that: do not acknowledge
   * @throws IllegalStateException when this inbox has no retry store
   */
  public boolean receive(Incoming incoming, BooleanSupplier goOn) {
    Reception<T> flow = requireReception();
    Pace pace = Pace.ofTrouble();
    while (true) {
      try {
        flow.receive(incoming);
        if (inTrouble.getAndSet(false)) {
          LOG.info("{}: the database works again", options.name());
        }
        return true;
      } catch (RuntimeException | Error failed) {
        tellTrouble(failed);
        LOG.debug("{}: could not deal with {}", options.name(), incoming.messageId(), failed);
      }
      if (!goOn.getAsBoolean() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      Threads.pause(pace.next().toMillis(), () -> !goOn.getAsBoolean());
    }
  }

  private void tellTrouble(Throwable failed) {
    if (!inTrouble.getAndSet(true)) {
      LOG.warn(
          "{}: the database fails, messages are not acknowledged and tried again; error={}",
          options.name(),
          ErrorText.of(failed));
    }
    news.storeFailed(failed);
  }

  /**
   * Refuses an inbox that cannot receive from a broker; for receivers, so that it is said at start.
   *
   * @throws IllegalStateException when it has no retry store
   */
  public void requireRetries() {
    Reception<T> unused = requireReception();
  }

  private Reception<T> requireReception() {
    if (reception == null) {
      throw new IllegalStateException(
          "this inbox has no retry store, so it cannot take messages from a broker: give it one"
              + " with Inbox.builder(..).retries(orderedStore)");
    }
    return reception;
  }

  /**
   * A sender for the relay of an outbox, to which the handlers of this process are the destination:
   * no broker, order per key on an ordered store, and the relay's own retries and dead letters.
   * Closed with this inbox.
   */
  public synchronized MessageSender localSender() {
    if (localSender == null) {
      localSender =
          new HandlerSender(
              "local",
              new LocalDelivery<>(handlers.registrations(), execution, news),
              options,
              Ticker.system());
    }
    return localSender;
  }

  /** Starts working off the retry line, and forgetting what is past its retention. */
  public synchronized void start() {
    if (housekeeping != null) {
      return;
    }
    if (retryRelay != null) {
      retryRelay.start();
    }
    housekeeping =
        new BackgroundLoop(
            options.name() + "-housekeeper",
            housekeeper,
            new Waiter(),
            Pace.ofTrouble(),
            work -> Threads.daemon(options.name(), work));
    housekeeping.start();
  }

  /** Stops what {@link #start()} began, after what is in flight; receivers are stopped before. */
  public synchronized void stop() {
    if (housekeeping == null) {
      return;
    }
    BackgroundLoop.stopAll(List.of(housekeeping), STOP_WITHIN);
    housekeeping = null;
    if (retryRelay != null) {
      retryRelay.stop();
    }
  }

  /** {@link #stop()}, and ends the threads of handlers. */
  @Override
  public synchronized void close() {
    stop();
    if (retrySender != null) {
      retrySender.close();
    }
    if (localSender != null) {
      localSender.close();
    }
    watch.close();
  }

  /**
   * Works off what is due in the retry line, on the caller's thread, and looks after the inbox. For
   * tests, and for those who bring their own scheduler.
   *
   * @throws IllegalStateException while it is started
   */
  public synchronized void runOnce() {
    if (retryRelay != null) {
      var unused = retryRelay.drain();
    }
    var unused = housekeeper.runOnce();
  }

  /** Collects what an inbox needs. Not thread-safe. */
  public static final class Builder<T> {
    private final InboxStore<T> store;
    private final Handlers<T> handlers;
    private InboxOptions options = InboxOptions.defaults();
    private InboxObserver observer = InboxObserver.none();
    private OutboxObserver retryObserver = OutboxObserver.none();
    private Tracing tracing = Tracing.none();
    private @Nullable OrderedStore<T> retries;
    private @Nullable Transactions<T> transactions;

    private Builder(InboxStore<T> store, Handlers<T> handlers) {
      this.store = store;
      this.handlers = handlers;
    }

    /**
     * Where messages wait that failed: a store of its own in the same database, with a prefix other
     * than the outbox's. Needed to receive from a broker.
     */
    public Builder<T> retries(OrderedStore<T> retries) {
      this.retries = retries;
      return this;
    }

    /**
     * The units of work in which handlers run; those of the inbox store unless given. Those of the
     * outbox let handlers append without naming the transaction.
     */
    public Builder<T> transactions(Transactions<T> transactions) {
      this.transactions = transactions;
      return this;
    }

    public Builder<T> options(InboxOptions options) {
      this.options = options;
      return this;
    }

    public Builder<T> observer(InboxObserver observer) {
      this.observer = observer;
      return this;
    }

    /** Follows the handling of each message from its creation on; nothing unless given. */
    public Builder<T> tracing(Tracing tracing) {
      this.tracing = tracing;
      return this;
    }

    /** Hears what happens in the retry line. */
    public Builder<T> retryObserver(OutboxObserver observer) {
      this.retryObserver = observer;
      return this;
    }

    public Inbox<T> build() {
      return new Inbox<>(this);
    }
  }
}
