package io.postroad.postgres;

import io.postroad.postgres.PostgresOptions.WakeUpMode;
import io.postroad.store.WakeUps;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hints inside this process at once, and between nodes over LISTEN/NOTIFY. */
final class PostgresWakeUps implements WakeUps, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresWakeUps.class);

  private final NotifyChannel channel;
  private final Notifier notifier;
  private final boolean acrossNodes;
  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();
  private @Nullable ChannelListener remote;
  private boolean closed;

  PostgresWakeUps(Database database, PostgresOptions options) {
    channel = new NotifyChannel(database, options.channel());
    notifier = new Notifier(channel);
    acrossNodes = options.wakeUpMode() == WakeUpMode.NOTIFY;
  }

  @Override
  public void signal() {
    wakeLocal();
    if (acrossNodes) {
      notifier.request();
    }
  }

  @Override
  public Subscription subscribe(Runnable listener) {
    Subscriber subscriber = new Subscriber(listener);
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("this store is closed; subscribe before it is closed");
      }
      subscribers.add(subscriber);
      if (acrossNodes && remote == null) {
        remote = new ChannelListener(channel, this::wakeLocal);
        remote.start();
      }
    }
    return subscriber;
  }

  private void wakeLocal() {
    for (Subscriber subscriber : subscribers) {
      try {
        subscriber.listener.run();
      } catch (RuntimeException failed) {
        LOG.warn("postgres {}: a wake-up listener failed", channel.name(), failed);
      }
    }
  }

  private void unsubscribe(Subscriber subscriber) {
    @Nullable ChannelListener unused = null;
    synchronized (this) {
      subscribers.remove(subscriber);
      if (subscribers.isEmpty()) {
        unused = remote;
        remote = null;
      }
    }
    if (unused != null) {
      unused.close();
    }
  }

  @Override
  public void close() {
    @Nullable ChannelListener unused;
    synchronized (this) {
      closed = true;
      subscribers.clear();
      unused = remote;
      remote = null;
    }
    if (unused != null) {
      unused.close();
    }
    notifier.close();
  }

  private final class Subscriber implements Subscription {
    private final Runnable listener;

    Subscriber(Runnable listener) {
      this.listener = listener;
    }

    @Override
    public void close() {
      unsubscribe(this);
    }
  }
}
