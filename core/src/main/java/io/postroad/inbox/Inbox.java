package io.postroad.inbox;

import io.postroad.internal.inbox.Execution;
import io.postroad.internal.inbox.HandlerSender;
import io.postroad.internal.inbox.HandlerWatch;
import io.postroad.internal.inbox.InboxEvents;
import io.postroad.internal.inbox.InboxReceiver;
import io.postroad.internal.inbox.InboxSweeper;
import io.postroad.internal.inbox.LocalDelivery;
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
 * Handles incoming messages: once per handler, in the order of their keys, and again later if a
 * handler fails.
 *
 * <pre>{@code
 * Inbox<Connection> inbox = Inbox.builder(inboxStore, handlers).retries(retryStore).build();
 * inbox.start();
 * KafkaReceiver receiver = KafkaReceiver.create(options, inbox);
 * receiver.start();
 * }</pre>
 *
 * <p>If a handler fails, the message moves to the <em>retry line</em>: an outbox with its own
 * tables in the same database. The relay of the retry line hands its messages to the handlers
 * again, in order, with backoff, attempts and dead letters. Operators decide about its dead letters
 * and blocked keys as in any outbox. Later messages of the key wait behind the failed one.
 *
 * <p>Thread-safe. A second start or stop has no effect. The inbox does not close its stores. After
 * a crash each message is either handled, in the retry line, or not acknowledged, so that the
 * broker delivers it again.
 *
 * @param <T> the type of a database transaction
 */
public final class Inbox<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Inbox.class);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(5);

  private final Handlers<T> handlers;
  private final InboxOptions options;
  private final InboxEvents events;
  private final HandlerWatch watch;
  private final Execution<T> execution;
  private final InboxSweeper<T> sweeper;
  private final @Nullable InboxReceiver<T> receiver;
  private final @Nullable HandlerSender retrySender;
  private final @Nullable OutboxRelay retryRelay;
  private final AtomicBoolean databaseFails = new AtomicBoolean();
  private @Nullable HandlerSender localSender;
  private @Nullable BackgroundLoop sweeping;

  private Inbox(Builder<T> from) {
    handlers = from.handlers;
    options = from.options;
    Transactions<T> transactions =
        from.transactions == null ? from.store.transactions() : from.transactions;
    events = new InboxEvents(options.name(), from.observer, options.maxErrorLength());
    watch = new HandlerWatch(options.handlerTimeout());
    execution = new Execution<>(from.store, transactions, watch, Tracing.guarded(from.tracing));
    sweeper = new InboxSweeper<>(from.store, from.retries, transactions, options, events);
    if (from.retries == null) {
      receiver = null;
      retrySender = null;
      retryRelay = null;
    } else {
      receiver =
          new InboxReceiver<>(
              handlers.registrations(),
              execution,
              from.store,
              from.retries,
              options.unhandled(),
              events);
      retrySender =
          new HandlerSender(
              "retry",
              new RetryDelivery<>(handlers.registrations(), execution, from.store, events),
              options,
              Ticker.system());
      retryRelay =
          OutboxRelay.builder(from.retries, retrySender)
              .options(options.retries())
              .observer(from.retryObserver)
              .build();
    }
  }

  /** Starts an inbox over a store, for these handlers. */
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
   * Handles a message or moves it to the retry line. After a return of true the message may be
   * acknowledged: it has been handled, now or earlier, or waits in the retry line. While the
   * database fails, this method tries again for as long as {@code goOn} returns true.
   *
   * <p>Callers pass the messages of one key one after the other, in the order of their arrival.
   *
   * @return false if {@code goOn} or an interrupt ended the attempts: do not acknowledge
   * @throws IllegalStateException if this inbox has no retry store
   */
  public boolean receive(Incoming incoming, BooleanSupplier goOn) {
    InboxReceiver<T> required = requireReceiver();
    Pace pace = Pace.ofTrouble();
    while (true) {
      try {
        required.receive(incoming);
        if (databaseFails.getAndSet(false)) {
          LOG.info("{}: the database works again", options.name());
        }
        return true;
      } catch (RuntimeException | Error failed) {
        reportFailure(failed);
        LOG.debug("{}: could not handle {}", options.name(), incoming.messageId(), failed);
      }
      if (!goOn.getAsBoolean() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      Threads.pause(pace.next().toMillis(), () -> !goOn.getAsBoolean());
    }
  }

  private void reportFailure(Throwable failed) {
    if (!databaseFails.getAndSet(true)) {
      LOG.warn(
          "{}: the database fails, messages stay unacknowledged and are tried again; error={}",
          options.name(),
          ErrorText.of(failed));
    }
    events.storeFailed(failed);
  }

  /**
   * Refuses an inbox that cannot receive from a broker. Receivers call it when they are created.
   *
   * @throws IllegalStateException if this inbox has no retry store
   */
  public void requireRetries() {
    InboxReceiver<T> unused = requireReceiver();
  }

  private InboxReceiver<T> requireReceiver() {
    if (receiver == null) {
      throw new IllegalStateException(
          "this inbox has no retry store, so it cannot take messages from a broker: give it one"
              + " with Inbox.builder(..).retries(orderedStore)");
    }
    return receiver;
  }

  /**
   * Returns a sender that hands the messages of an outbox relay to the handlers of this process. No
   * broker is involved. The relay keeps the order of keys on an ordered store, and its retries and
   * dead letters apply. {@link #close()} closes the sender.
   */
  public synchronized MessageSender localSender() {
    if (localSender == null) {
      localSender =
          new HandlerSender(
              "local",
              new LocalDelivery<>(handlers.registrations(), execution, events),
              options,
              Ticker.system());
    }
    return localSender;
  }

  /** Starts the relay of the retry line and the removal of old entries. */
  public synchronized void start() {
    if (sweeping != null) {
      return;
    }
    if (retryRelay != null) {
      retryRelay.start();
    }
    sweeping =
        new BackgroundLoop(
            options.name() + "-sweeper",
            sweeper,
            new Waiter(),
            Pace.ofTrouble(),
            work -> Threads.daemon(options.name(), work));
    sweeping.start();
  }

  /** Stops the threads of {@link #start()} after their current work. Stop receivers before. */
  public synchronized void stop() {
    if (sweeping == null) {
      return;
    }
    BackgroundLoop.stopAll(List.of(sweeping), STOP_WITHIN);
    sweeping = null;
    if (retryRelay != null) {
      retryRelay.stop();
    }
  }

  /** Stops this inbox and ends the threads of its handlers. */
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
   * Handles all due messages of the retry line on the caller's thread, and removes old entries. For
   * tests, and for applications with their own scheduler.
   *
   * @throws IllegalStateException while this inbox is started
   */
  public synchronized void runOnce() {
    if (retryRelay != null) {
      var unused = retryRelay.drain();
    }
    var unused = sweeper.runOnce();
  }

  /** Collects the parts of an inbox. Not thread-safe. */
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
     * Sets the store of the retry line, where failed messages wait. It is in the same database,
     * with another prefix than the outbox. An inbox needs it to receive from a broker.
     */
    public Builder<T> retries(OrderedStore<T> retries) {
      this.retries = retries;
      return this;
    }

    /**
     * Sets the transactions in which handlers run; without it, those of the inbox store. With the
     * transactions of the outbox, handlers can append without passing the transaction.
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

    /** Sets the tracing for spans of handlers; without it there are none. */
    public Builder<T> tracing(Tracing tracing) {
      this.tracing = tracing;
      return this;
    }

    /** Sets the observer of the retry line. */
    public Builder<T> retryObserver(OutboxObserver observer) {
      this.retryObserver = observer;
      return this;
    }

    public Inbox<T> build() {
      return new Inbox<>(this);
    }
  }
}
